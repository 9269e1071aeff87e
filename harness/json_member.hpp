#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitproof {

/// The member `key` of `object`; null where there is none, or no object. For sources that read JSON: it brings in all of
/// the library.
template <class Json>
const Json& member(const Json& object, const char* key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

/// The value as JSON; what is no UTF-8 in it, such as a lone surrogate, as U+FFFD.
template <class Json>
std::string written(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What a string says; of any other value, nothing.
template <class Json>
std::string text_of(const Json& value) {
  return value.is_string() ? value.template get<std::string>() : std::string();
}

template <class Json>
std::string string_at(const Json& object, const char* key) {
  return text_of(member(object, key));
}

}  // namespace splitproof
