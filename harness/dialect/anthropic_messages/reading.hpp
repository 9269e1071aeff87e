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

/// Limits above which an answer is an error. No provider comes near them.
inline constexpr std::size_t kMaxAnthropicEvent = 16 << 20;  ///< Bytes of one event's data.
inline constexpr std::size_t kMaxAnthropicBlocks = 4096;
/// The index of deltas that have none.
inline constexpr std::uint64_t kNoIndex = std::numeric_limits<std::uint64_t>::max();

/// Reads the meaning of a stream of Anthropic Messages, event by event. contracts/specifications/provider-quirks.md
/// lists the irregularities. The harness judges proxies by this reading, and shares no code with them.
///
/// The documents leave these choices to the reading:
/// - The `type` in the data is the type of an event, whatever its name. The name `error` alone makes an error, too.
/// - Only `message_stop` ends an answer, and nothing after it counts. A later event can take a stop_reason back, so
///   there is no finish before `message_stop`. An error ends the answer as well.
/// - Another message that begins before this one ends is an error. The same message may begin again.
/// - Data that is not one JSON object, or not UTF-8, is an error. `[DONE]`, and a last event without its blank line,
///   are ignored.
/// - Blocks come in the order of their starts, after the blocks in `message_start`. An index that starts again names
///   the new block. A delta of another kind than its block is ignored, as in Anthropic's SDK.
/// - Text or thinking for a block that never started begins one, and is ambiguous. Arguments for such a block are an
///   error.
/// - A delta of an unknown type is a note as a whole. So is an unknown event that has a `delta` or a `content_block`.
/// - A block of text or thinking becomes a part with its first text or signature. The last of several signatures
///   counts.
/// - A `tool_use` is a call. Its arguments are the deltas, joined. Without any, they are the bytes of the start's
///   `input`, unless that is `{}`. Calls without an id or a name come at the end, as in other dialects.
/// - Any other block is opaque: the JSON of its start without `input`, and arguments as a call has them.
///   `compaction_delta` replaces members.
/// - Text for a block that is not the last one is added at the end of the answer. Half a character may become whole
///   until its block stops, its index starts again, or a later block has text.
/// - The last value of each count is used. A null counts nothing. `prompt` includes tokens read from a cache or written
///   to one.
/// - Citations, members without a place in a part, and other counts are in `extra`, as compact JSON.
///
/// so_far() depends only on the events taken. Reading takes time linear in their bytes, times the logarithm of the
/// number of blocks.
class AnthropicReading final : public AnswerReader {
 public:
  void take(const observe::SseEvent& event) override;

  /// Takes the whole body once it has ended. One JSON object instead of an event stream may be an error. An answer in
  /// one piece counts as nothing.
  void take_plain_body(std::string_view body) override;

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const AnthropicReading&) const = default;

 private:
  /// A block. Its part is in the answer once it is placed. The rest waits here for the end.
  struct Block {
    std::string type;
    observe::Part part;                ///< While it is not placed.
    std::optional<std::size_t> place;  ///< Among the answer's parts.
    std::string late;                  ///< Text that came after the start of a later block.
    observe::JsonProgress progress;    ///< Progress of arguments.
    observe::SurrogateJoiner halves;
    std::map<std::string, std::string> members;  ///< Members of its start that nothing else reads, as JSON.
    std::string input;                           ///< Input of its start, if it is not {}.
    std::string last_piece;
    std::string citations;  ///< Elements of a JSON array.

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
  std::vector<Block> blocks_;                       ///< In the order of their starts.
  std::map<std::uint64_t, std::size_t> by_number_;  ///< The latest of each number.
  std::optional<std::string> stop_reason_;          ///< The last one so far.
  std::optional<std::string> stop_sequence_;        ///< The last one so far.
  std::map<std::string, std::string> usage_;        ///< Other counts, as JSON.
  UsageCounts counts_{"anthropic.messages", true};
  std::set<std::string> ids_;  ///< Ids of calls.
  std::size_t spoken_ = 0;     ///< One past the last block that is placed.
  std::size_t passed_ = 0;     ///< Blocks whose texts ended when a later block was placed.
  std::string id_;             ///< Id of the message.
  bool started_ = false;
  bool begun_ = false;  ///< Some part has a piece.
};

}  // namespace splitproof::dialect
