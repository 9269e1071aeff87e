#pragma once

#include <string>
#include <string_view>

#include "proxy/wire/json_text.hpp"

namespace splitproof::request {

/// Escapes UTF-8 text as between the quotes of a JSON string; `plain` reverses it.
inline std::string escaped(std::string_view text) {
  const std::string string = wire::quoted(text);
  return string.substr(1, string.size() - 2);
}

}  // namespace splitproof::request
