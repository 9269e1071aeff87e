#pragma once

#include <string>

#include "proxy/request/asked.hpp"
#include "proxy/request/json_parts.hpp"

namespace splitproof::request {

/// The texts of a result, escaped.
inline std::string text_of(const Result& result) {
  Joined text;
  for (const auto& part : result.content) {
    if (const auto* said = std::get_if<Text>(&part)) text.add(said->text);
  }
  return text.text;
}

/// What the user says of a result, where the upstream is given none as such: escaped, without the result's images.
inline std::string told(const Result& result) {
  return (result.error ? "A tool failed:\\n" : "A tool gave:\\n") + text_of(result);
}

}  // namespace splitproof::request
