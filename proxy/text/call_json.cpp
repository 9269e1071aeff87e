#include "proxy/text/call_json.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "proxy/wire/json.hpp"

namespace splitproof::text {
namespace {

using wire::Json;
using wire::JsonDocument;
using wire::JsonKind;

// Deeper objects would be read again for each level that begins a line.
constexpr std::size_t kLevels = 32;

constexpr std::array<std::string_view, 8> kCallKeys = {"id",    "type",       "name",          "arguments",
                                                       "input", "parameters", "function_call", "function"};
constexpr std::uint8_t kFunctionCall = 1U << 6U;
constexpr std::uint8_t kFunction = 1U << 7U;
// The keys that may occur together.
constexpr std::array<std::uint8_t, 5> kTogether = {0b0000'1111, 0b0001'0111, 0b0010'0111, kFunctionCall,
                                                   kFunction | 0b0000'0011};

// Returns the index of a key; kCallKeys.size() for an unknown one.
std::size_t number_of(std::string_view key) {
  return static_cast<std::size_t>(std::find(kCallKeys.begin(), kCallKeys.end(), key) - kCallKeys.begin());
}

bool fit_together(std::uint8_t keys) {
  return std::any_of(kTogether.begin(), kTogether.end(),
                     [&](std::uint8_t together) { return (keys & ~together) == 0; });
}

bool has_distinct_keys(const Json& object) {
  std::set<std::string> seen;
  for (Json key = object.first_key(); key; key = key.next()) {
    if (!seen.insert(key.text()).second) return false;
  }
  return true;
}

// Returns an object, or a string with an object in it; empty for other values.
std::string arguments_in(const Json& value) {
  if (value.is(JsonKind::object)) return has_distinct_keys(value) ? std::string(value.raw()) : std::string();
  std::string text = value.text();
  const bool alone = text.starts_with('{') && text.ends_with('}');
  return alone && is_arguments(text) ? text : std::string();
}

// True for parameters that are a tool's schema, not the arguments of a call.
bool is_schema(std::string_view parameters) {
  const JsonDocument document(parameters, kLevels);
  const Json type = document.root()["type"];
  return type.is(JsonKind::string) && type.text() == "object" &&
         document.root()["properties"].is(JsonKind::object);
}

std::optional<WrittenCall> read_function(const Json& object, std::string_view arguments_key,
                                         const Functions& functions) {
  const Json name = object["name"];
  if (!name.is(JsonKind::string)) return std::nullopt;
  WrittenCall call{name.text(), arguments_in(object[arguments_key])};
  if (call.arguments.empty() || !functions.has(call.name)) return std::nullopt;
  return call;
}

}  // namespace

bool ObjectProgress::take(char c) {
  const bool was_key = progress_.in_key();
  progress_.feed(std::string_view(&c, 1));
  if (progress_.lost() || progress_.depth() > kLevels) return false;
  return !of_call_ || follow_key(c, was_key);
}

bool ObjectProgress::follow_key(char c, bool was_key) {
  const std::size_t level = progress_.depth();
  if (level > 2 || (level == 2 && !in_function_)) return true;
  const bool is_key = progress_.in_key();
  if (is_key && !was_key) {
    key_.clear();
    return true;
  }
  if (was_key && !is_key) return end_key();
  if (!is_key) return true;
  key_ += c;
  if (key_.find('\\') != std::string::npos) return key_.size() <= 6 * kCallKeys[6].size();
  return std::any_of(kCallKeys.begin(), kCallKeys.end(),
                     [&](std::string_view known) { return known.starts_with(key_); });
}

bool ObjectProgress::end_key() {
  const std::string literal = "\"" + key_ + "\"";
  const std::size_t number = number_of(JsonDocument(literal, 1).root().text());
  if (progress_.depth() == 2) return number == number_of("name") || number == number_of("arguments");
  if (number == kCallKeys.size()) return false;
  const auto bit = static_cast<std::uint8_t>(1U << number);
  if ((seen_ & bit) != 0) return false;
  seen_ |= bit;
  in_function_ = bit == kFunction || bit == kFunctionCall;
  return fit_together(seen_);
}

std::optional<WrittenCall> read_call(std::string_view json, const Functions& functions) {
  const JsonDocument document(json, kLevels);
  const Json object = document.root();
  if (!object.is(JsonKind::object) || !has_distinct_keys(object)) return std::nullopt;
  std::uint8_t keys = 0;
  for (Json key = object.first_key(); key; key = key.next()) {
    const std::size_t number = number_of(key.text());
    if (number == kCallKeys.size()) return std::nullopt;
    keys |= static_cast<std::uint8_t>(1U << number);
  }
  if (!fit_together(keys)) return std::nullopt;
  for (const std::string_view form : {"function_call", "function"}) {
    const Json function = object[form];
    if (!function) continue;
    for (Json key = function.first_key(); key; key = key.next()) {
      if (key.text() != "name" && key.text() != "arguments") return std::nullopt;
    }
    return has_distinct_keys(function) ? read_function(function, "arguments", functions) : std::nullopt;
  }
  for (const std::string_view form : {"arguments", "input", "parameters"}) {
    if (!object[form]) continue;
    auto call = read_function(object, form, functions);
    return call && form == "parameters" && is_schema(call->arguments) ? std::nullopt : call;
  }
  return std::nullopt;
}

bool is_arguments(std::string_view json) {
  const JsonDocument document(json, kLevels);
  return document.root().is(JsonKind::object) && has_distinct_keys(document.root());
}

bool is_of_type(std::string_view json, std::string_view type) {
  const JsonDocument document(json, kLevels);
  switch (document.root().kind()) {
    case JsonKind::nothing:
    case JsonKind::string:
      return false;
    case JsonKind::null:
      return type == "null";
    case JsonKind::boolean:
      return type == "boolean";
    case JsonKind::number:
      return type == "number" || (type == "integer" && json.find_first_of(".eE") == std::string_view::npos);
    case JsonKind::array:
      return type == "array";
    case JsonKind::object:
      return type == "object";
  }
  return false;
}

}  // namespace splitproof::text
