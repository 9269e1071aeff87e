#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitproof {

/// Returns the member `key` of `object`, or null. Includes the whole JSON library, so use it only in sources
/// that read JSON.
template <class Json>
const Json& member(const Json& object, const char* key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

/// Returns the value as JSON. Invalid UTF-8, such as a lone surrogate, becomes U+FFFD.
template <class Json>
std::string written(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Returns the text of a string, or "" for any other value.
template <class Json>
std::string text_of(const Json& value) {
  return value.is_string() ? value.template get<std::string>() : std::string();
}

template <class Json>
std::string string_at(const Json& object, const char* key) {
  return text_of(member(object, key));
}

}  // namespace splitproof
