#pragma once

#include <functional>
#include <string_view>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Takes an unread member and the name of its object ("delta", "call", ...).
using TakeUnread = std::function<void(std::string_view object, const observe::WireJson& member)>;

/// Calls `take` for each member of a chunk, or of one of its choices, that has a value and that ChatReading
/// does not read. null, "", [], {} and false are no values. Excludes metadata: the server, the time and the
/// cost of the answer.
void unread_of_chunk(const observe::WireJson& chunk, const TakeUnread& take);
void unread_of_choice(const observe::WireJson& choice, const TakeUnread& take);

}  // namespace splitproof::dialect
