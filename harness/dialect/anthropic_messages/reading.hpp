#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/upstream.hpp"
#include "harness/dialect/usage_counts.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits beyond which an answer is not read on but an error; no provider comes near.
inline constexpr std::size_t kMaxAnthropicEvent = 16 << 20;  ///< bytes of one event's data
inline constexpr std::size_t kMaxAnthropicBlocks = 4096;
/// The index of deltas that have none.
inline constexpr std::uint64_t kNoIndex = std::numeric_limits<std::uint64_t>::max();

/// Reads what a stream of Anthropic Messages means, event by event. It is the yardstick for proxies, and shares no code
/// with any. docs/provider-quirks.md has the irregularities. What is read where the documents leave a choice:
///
/// - The `type` in the data says what an event is, whatever its name; the name `error` alone is an error too.
/// - `message_stop` is the only end, and nothing behind it counts. A stop_reason can be taken back until then, so
///   there is no finish before. An error ends the answer as well.
/// - Another message that begins before this one ends is an error; the same one that begins again is nothing.
/// - What is not one JSON object is an error, but for `[DONE]`; so is what is not UTF-8. Of a last event without its blank
///   line, it means nothing.
/// - Blocks come in the order of their starts; those that message_start holds come first. A number that starts again names
///   the new block. A delta of another kind than its block says nothing, as in Anthropic's SDK.
/// - Text or thinking for a block that never started begins one, and is ambiguous. Arguments for such a block are an error.
/// - A delta of an unknown type is a note as a whole. So is an unknown event that has a `delta` or a `content_block`.
/// - A text block or thinking block is a part of its own once it says something; thinking also once it is signed. Of
///   several signatures the last counts.
/// - A `tool_use` is a call. Its arguments are the deltas, joined; where they say nothing, the bytes of the start's `input`,
///   unless it is `{}`. A call without an id or a name is known for what it is at the end alone, as with other dialects.
/// - Any other block is opaque: the JSON of its start without `input`, and the arguments as of a call. `compaction_delta`
///   replaces members.
/// - What a delta says for a block that has another behind it is told at the end alone. Half a character at its end may
///   become whole until the block stops, its number starts again, or a block behind it says something.
/// - Counts: the last that was said, none being null. `prompt` includes what was read from a cache and written to one.
/// - Citations, the members of blocks and message that have no place in a part, and what else the usage counts are in
///   `extra`, as compact JSON.
///
/// Promises: what so_far() says is a function of the events taken, and reading is linear in their bytes, but for the
/// logarithm of the number of blocks.
class AnthropicReading final : public AnswerReader {
 public:
  void take(const observe::SseEvent& event) override;

  /// If the body is no event stream but one JSON object that is an error, it is that error; an answer in one piece means
  /// nothing.
  void take_plain_body(std::string_view body) override;

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const AnthropicReading&) const = default;

 private:
  /// A block. Its part stands in the answer once it is placed; what must wait for the end is kept here.
  struct Block {
    std::string type;
    observe::Part part;                ///< while it is not placed
    std::optional<std::size_t> place;  ///< among the answer's parts
    std::string late;                  ///< what deltas said while another block stood behind it
    observe::JsonProgress progress;    ///< of arguments
    observe::SurrogateJoiner halves;
    std::map<std::string, std::string> members;  ///< of its start, as JSON, those that nothing else tells
    std::string input;                           ///< of its start, if it is not {}
    std::string last_piece;
    std::string citations;  ///< elements of a JSON array

    bool operator==(const Block&) const = default;
  };

  void take_event(const observe::WireJson& event, const std::string& type);
  void start_message(const observe::WireJson& message);
  void start_block(std::optional<std::uint64_t> index, const observe::WireJson& start);
  void take_delta(std::size_t number, const observe::WireJson& delta);
  void take_stray(std::uint64_t index, const observe::WireJson& delta);
  void take_message_delta(const observe::WireJson& event);
  void take_stop(const observe::WireJson& source, const char* key, std::optional<std::string>& said);
  void take_usage(const observe::WireJson& usage);

  observe::Part& part_of(Block& block) { return block.place ? answer_.parts[*block.place] : block.part; }
  void take_call(Block& block, const observe::WireJson& start);
  void say(std::size_t number, const observe::WireJson& piece);
  void add(std::size_t number, const std::string& said);
  void sign(std::size_t number, std::string_view signature);
  void cite(Block& block, const observe::WireJson& citation);
  void place(std::size_t number);
  void close(std::size_t number);
  void end_text(std::size_t number);
  void settle(std::size_t number);
  void keep(const char* what, const observe::WireJson& value);
  void keep_unread(const std::string& object, const observe::WireJson& value,
                   std::initializer_list<std::string_view> read, const std::string& of);
  void keep_whole(const std::string& object, std::string_view type, const observe::WireJson& value,
                  const std::string& of);
  void keep_unread_delta(const observe::WireJson& delta, const std::string& of);
  void fail(std::string reason);
  void note(std::string_view shape) { answer_.shapes.emplace(shape); }

  observe::Answer answer_;
  std::vector<Block> blocks_;                       ///< in the order of their starts
  std::map<std::uint64_t, std::size_t> by_number_;  ///< the latest of each number
  std::optional<std::string> stop_reason_;          ///< as far as it was said, and
  std::optional<std::string> stop_sequence_;        ///< likewise
  std::map<std::string, std::string> usage_;        ///< what else was counted, as JSON
  UsageCounts counts_{"anthropic.messages", true};
  std::set<std::string> ids_;  ///< of calls
  std::size_t spoken_ = 0;     ///< one past the last block that is placed
  std::size_t passed_ = 0;     ///< blocks whose texts ended when one behind them was placed
  std::string id_;             ///< of the message
  bool started_ = false;
  bool begun_ = false;  ///< a piece of some part came
};

}  // namespace splitproof::dialect
