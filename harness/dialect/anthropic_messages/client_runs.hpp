#pragma once

#include <string>
#include <vector>

#include "harness/observe/event_stream.hpp"

namespace splitproof::dialect {

/// One call of a tool by a client's agent loop.
struct ClientRun {
  std::string name;
  std::string arguments;  ///< as joined, raw; where no delta said anything, the start's `input` if not {}

  bool operator==(const ClientRun&) const = default;
};

/// The calls that a client runs which acts on each `content_block_stop` that it sees, as Claude Code does: a
/// `tool_use` block is run when its index stops. So a second stop runs it twice, a block that never stops is not
/// run, and a second start of an index replaces what was there. Nothing after an `error` event is read; whatever
/// follows `message_stop` is, as lenient clients do.
std::vector<ClientRun> client_runs(observe::EventStream& stream);

}  // namespace splitproof::dialect
