#pragma once

#include <functional>
#include <string_view>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Takes an unread member and the name of its object ("delta", "call", ...).
using TakeUnread = std::function<void(std::string_view object, const observe::WireJson& member)>;

/// Calls `take` for each member that has a value and that ChatReading does not read. The first function looks at a
/// chunk, the second at one of its choices. The values null, "", [], {} and false do not count. Neither does metadata:
/// the server, the time and the cost of the answer.
void unread_of_chunk(const observe::WireJson& chunk, const TakeUnread& take);
void unread_of_choice(const observe::WireJson& choice, const TakeUnread& take);

}  // namespace splitproof::dialect
