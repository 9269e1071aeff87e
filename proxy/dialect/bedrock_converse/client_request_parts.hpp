#pragma once

#include <cstddef>
#include <string>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/request/conversation.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// Parts of read_converse_request. They throw a Refusal.

/// Calls `take` with each element of an optional list and its field, except marks of the cache.
template <class Take>
void for_each_block(const wire::Json& list, const std::string& field, const Take& take) {
  if (!request::given(list)) return;
  if (!list.is(wire::JsonKind::array)) request::refuse(field, "has to be a list");
  std::size_t place = 0;
  for (wire::Json block = list.first(); block; block = block.next(), ++place) {
    const std::string at = request::at(field, place);
    if (!block.is(wire::JsonKind::object)) request::refuse(at, "has to be an object");
    if (!block["cachePoint"]) take(block, at);
  }
}

void read_converse_messages(const wire::Json& body, const Limits& limits,
                            request::Conversation& conversation);

void read_converse_tools(const wire::Json& config, const Limits& limits, request::Asked& asked);

}  // namespace splitproof::proxy::dialect
