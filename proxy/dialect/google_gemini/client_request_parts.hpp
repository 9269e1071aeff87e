#pragma once

#include <string>
#include <string_view>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/request/conversation.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// Parts of a request of generateContent. They throw a request::Refusal.

/// Returns a member by its name in camel case, or in snake case, which requests may use too.
wire::Json gemini_member(const wire::Json& object, std::string_view name);

/// Calls `take(element, field)` for each element of a list. Like Google's API it accepts one object for a list of one.
template <class Take>
void for_each_element(const wire::Json& list, const std::string& field, Take take) {
  if (!request::given(list)) return;
  if (list.is(wire::JsonKind::object)) return take(list, request::at(field, 0));
  if (!list.is(wire::JsonKind::array)) request::refuse(field, "has to be a list");
  std::size_t place = 0;
  for (wire::Json element = list.first(); element; element = element.next(), ++place) {
    const std::string element_field = request::at(field, place);
    if (!element.is(wire::JsonKind::object)) request::refuse(element_field, "has to be an object");
    take(element, element_field);
  }
}

void read_gemini_contents(const wire::Json& body, const Limits& limits, request::Conversation& conversation);

/// Reads the tools and their choice.
void read_gemini_tools(const wire::Json& body, const Limits& limits, request::Asked& asked);

/// Returns a schema of this protocol as JSON Schema: types in lower case, `nullable` as a type, counts as numbers.
std::string json_schema_of(const wire::Json& schema);

}  // namespace splitproof::proxy::dialect
