#pragma once

#include <string>
#include <vector>

#include "harness/observe/event_stream.hpp"

namespace splitproof::dialect {

/// One call of a tool by a client's agent loop.
struct ClientRun {
  std::string name;
  std::string arguments;  ///< Joined, raw; without deltas, the start's `input` if not {}.

  bool operator==(const ClientRun&) const = default;
};

/// Returns the calls that a client runs if it acts on each `content_block_stop`, like Claude Code: a
/// `tool_use` block runs when its index stops. So a second stop runs it twice, and a block without a stop
/// never runs. A second start of an index replaces the first. Reads nothing after an `error` event, but
/// continues after `message_stop`, as lenient clients do.
std::vector<ClientRun> client_runs(observe::EventStream& stream);

}  // namespace splitproof::dialect
