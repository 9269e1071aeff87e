#include <algorithm>
#include <array>
#include <string>

#include "proxy/dialect/google_gemini/client_request_parts.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;
using wire::JsonKind;

// Counts are texts in protocol buffers' JSON.
bool is_count(std::string_view keyword) {
  constexpr std::array<std::string_view, 6> kCounts = {"minItems",  "maxItems",      "minLength",
                                                       "maxLength", "minProperties", "maxProperties"};
  return std::find(kCounts.begin(), kCounts.end(), keyword) != kCounts.end();
}

// Returns a keyword in camel case. Requests may also have snake case.
std::string camel_case_of(const std::string& name) {
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos) return name;
  std::string camel;
  for (const char c : name) {
    const bool after_bar = !camel.empty() && camel.back() == '_' && c != '_';
    if (after_bar) camel.pop_back();
    camel += after_bar ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return camel;
}

std::string list_of_schemas(const Json& list) {
  request::List schemas;
  for (Json schema = list.first(); schema; schema = schema.next()) schemas.next() += json_schema_of(schema);
  return "[" + schemas.json + "]";
}

std::string map_of_schemas(const Json& map) {
  request::List schemas;
  for (Json key = map.first_key(); key; key = key.next())
    schemas.next().append(key.raw()).append(":").append(json_schema_of(key.value()));
  return "{" + schemas.json + "}";
}

// Returns the value of a keyword; empty if the keyword has no meaning in JSON Schema.
std::string value_of(std::string_view keyword, const Json& value, bool nullable) {
  if (keyword == "nullable" || keyword == "propertyOrdering") return {};
  if (keyword == "type" && value.is(JsonKind::string)) {
    const std::string type = "\"" + wire::lowered(std::string(request::inner(value))) + "\"";
    if (type == "\"type_unspecified\"") return {};
    return nullable ? "[" + type + ",\"null\"]" : type;
  }
  if (keyword == "enum" && value.is(JsonKind::array) && nullable) {
    request::List allowed;
    for (Json each = value.first(); each; each = each.next()) allowed.next() += each.raw();
    return "[" + (allowed.next() += "null") + "]";
  }
  if (keyword == "properties" && value.is(JsonKind::object)) return map_of_schemas(value);
  if (keyword == "anyOf" && value.is(JsonKind::array)) return list_of_schemas(value);
  if (keyword == "items" || keyword == "additionalProperties") return json_schema_of(value);
  if (is_count(keyword) && value.is(JsonKind::string)) {
    const wire::JsonDocument number(request::inner(value), 1);
    return std::string(number.root().count() ? request::inner(value) : value.raw());
  }
  return std::string(value.raw());
}

}  // namespace

std::string json_schema_of(const Json& schema) {
  if (!schema.is(JsonKind::object)) return std::string(schema.raw());
  const bool nullable = schema["nullable"].raw() == "true";
  request::List members;
  for (Json key = schema.first_key(); key; key = key.next()) {
    const std::string keyword = camel_case_of(key.text());
    const std::string value = value_of(keyword, key.value(), nullable);
    if (value.empty()) continue;
    const bool renamed = keyword != key.text();
    members.next().append(renamed ? "\"" + keyword + "\"" : std::string(key.raw())).append(":").append(value);
  }
  return "{" + members.json + "}";
}

}  // namespace splitproof::proxy::dialect
