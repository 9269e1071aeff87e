#pragma once

#include <string>
#include <variant>
#include <vector>

#include "proxy/request/asked.hpp"
#include "proxy/request/json_parts.hpp"

namespace splitproof::request {

/// Returns the texts of a result, escaped.
inline std::string text_of(const Result& result) {
  Joined text;
  for (const auto& part : result.content) {
    if (const auto* said = std::get_if<Text>(&part)) text.add(said->text);
  }
  return text.text;
}

/// Returns a result in the user's words for an upstream without results: escaped, without images.
inline std::string told(const Result& result) {
  return (result.error ? "A tool failed:\\n" : "A tool gave:\\n") + text_of(result);
}

/// Adds a result's images next to its words.
inline void add_images(const Result& result, std::vector<Block>& blocks) {
  for (const auto& part : result.content) {
    if (const auto* image = std::get_if<Image>(&part)) blocks.emplace_back(*image);
  }
}

}  // namespace splitproof::request
