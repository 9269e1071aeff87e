#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/recut_runs.hpp"

namespace splitproof::dialect {

/// Distribution of each call's start over events, with the letters i (id), n (name) and a (arguments).
struct CallLayout {
  enum class Later : std::uint8_t {
    absent,       ///< An event has only its own fields and the index.
    repeat_id,    ///< Each event after the id repeats it.
    repeat_name,  ///< Each event after the name repeats it.
    empty,        ///< Other fields are "".
    null          ///< Other fields are null.
  };
  std::vector<std::string> events;  ///< For example {"in", "a"}.
  Later later = Later::absent;

  bool operator==(const CallLayout&) const = default;
};

/// Returns all deals: the thirteen ways to distribute three fields over events with whole arguments. For each
/// other value of Later, also id and name in the first event and the arguments in the next two.
const std::vector<CallLayout>& all_call_deals();

/// Returns the deal's label: "call:ina", "call:a.n.i", "call:in.a.a:repeat-id".
std::string label_of(const CallLayout& deal);

/// True if a run begins a call whose start can be dealt. Such a call has an index of its own, which
/// identifies its pieces. Its first event has id and name and no other call.
bool begins_regular_call(const ChatBody& body, const RechunkedCalls& calls, const ChatRun& run);

/// Deals the start of every such call, with the arguments directly after it.
ChatReplacements deal_calls(const ChatBody& body, const RechunkedCalls& calls,
                            const std::vector<ChatRun>& runs, const CallLayout& deal);

}  // namespace splitproof::dialect
