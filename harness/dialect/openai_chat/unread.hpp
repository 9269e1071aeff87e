#pragma once

#include <functional>
#include <string_view>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Takes a member that nothing reads: what it is in ("delta", "call", ...), and the member.
using TakeUnread = std::function<void(std::string_view object, const observe::WireJson& member)>;

/// Calls `take` for each member of a chunk, or of one of its choices, that has a value and that ChatReading does not read.
/// null, "", [], {} and false are no values. Metadata is left out: who served the answer, when, and at what cost.
void unread_of_chunk(const observe::WireJson& chunk, const TakeUnread& take);
void unread_of_choice(const observe::WireJson& choice, const TakeUnread& take);

}  // namespace splitproof::dialect
