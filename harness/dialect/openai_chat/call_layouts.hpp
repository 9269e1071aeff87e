#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/recut_runs.hpp"

namespace splitproof::dialect {

/// How the start of each call is dealt: the letters i (id), n (name) and a (arguments), in events.
struct CallLayout {
  enum class Later : std::uint8_t {
    absent,       ///< an event has the fields it brings, and the index
    repeat_id,    ///< each event after that of the id repeats it
    repeat_name,  ///< each event after that of the name repeats it
    empty,        ///< the others are ""
    null          ///< the others are null
  };
  std::vector<std::string> events;  ///< {"in", "a"}
  Later later = Later::absent;

  bool operator==(const CallLayout&) const = default;
};

/// All deals there are. The thirteen ways to deal three fields over events, in which the arguments come whole;
/// and, by each of the other manners, id and name in the first event and the arguments in two that follow.
const std::vector<CallLayout>& all_call_deals();

/// The deal as it stands in labels: "call:ina", "call:a.n.i", "call:in.a.a:repeat-id".
std::string label_of(const CallLayout& deal);

/// Whether a run begins a call whose start can be dealt: one with an index of its own, which tells each of its
/// pieces from those of other calls, and whose first event has id and name and no other call.
bool begins_regular_call(const ChatBody& body, const RechunkedCalls& calls, const ChatRun& run);

/// Deals the start of every such call, with the arguments that directly follow it.
ChatReplacements deal_calls(const ChatBody& body, const RechunkedCalls& calls,
                            const std::vector<ChatRun>& runs, const CallLayout& deal);

}  // namespace splitproof::dialect
