#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/upstream.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits above which an answer is an error. No provider comes near them.
inline constexpr std::size_t kMaxCohereEvent = 16 << 20;  ///< Bytes of one event's data.
inline constexpr std::size_t kMaxCohereBlocks = 4096;     ///< Blocks of content, and as many calls.

/// Reads the meaning of a stream of Cohere's `/v2/chat`, event by event. The sources are the API reference, the types of
/// Cohere's TypeScript client, and recorded streams. contracts/specifications/provider-quirks.md lists the
/// irregularities. The harness judges translators by this reading, and shares no code with them.
///
/// - The `type` in the data is the type of an event. Some streams name their events, and others do not.
/// - `message-end` ends an answer. Nothing after it counts, such as the `[DONE]` of some streams. An error ends it, too.
/// - Blocks of content and calls are numbered apart from each other. Without an `index` an event belongs to the block,
///   or the call, that began last.
/// - The key of a piece, `text` or `thinking`, is its kind. A piece of another kind than its block begins another part.
///   A piece without a `content-start` begins a block.
/// - The tool plan is thinking: the API reference calls it a reflection in the style of a chain of thought. All its
///   pieces are one part.
/// - `tool-call-start` begins a call, also if its index is taken. The pieces of a call that never began are an error.
///   Calls without an id or a name come at the end, as in other dialects.
/// - `finish_reason` is read by contracts/vocabulary/finish.yaml. An `error` in `message-end` is an error whatever the
///   reason, and keeps the reason.
/// - `usage.tokens` are the tokens of the model, and `usage.cached_tokens` are a part of its input. The units of the bill
///   are a note.
/// - Citations, members without a place in a part, and events of unknown types are in `extra`.
///
/// so_far() depends only on the events taken. Reading takes time linear in their bytes, times the logarithm of the
/// number of blocks.
class CohereReading final : public AnswerReader {
 public:
  void take(const observe::SseEvent& event) override;

  /// Reads a body that is one JSON object. An error has a `message` that is a text. An answer in one piece counts as
  /// nothing.
  void take_plain_body(std::string_view body) override;

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const CohereReading&) const = default;

 private:
  /// A part whose pieces come in several events. Its part is among the answer's parts once it has text, or, for a
  /// call, if it has an id and a name.
  struct Block {
    observe::PartKind kind = observe::PartKind::text;
    std::optional<std::size_t> place;  ///< Among the answer's parts.
    observe::Part waiting;             ///< A call that has no place yet.
    observe::SurrogateJoiner pieces;

    bool operator==(const Block&) const = default;
  };

  void take_event(const observe::WireJson& event, std::string_view type);
  void start_message(const observe::WireJson& event);
  void start_content(const observe::WireJson& event);
  void take_content(const observe::WireJson& event, const observe::WireJson& content);
  void end_content(const observe::WireJson& event);
  void start_call(const observe::WireJson& event);
  void take_arguments(const observe::WireJson& event);
  void end_message(const observe::WireJson& delta);
  void note_unread(const observe::WireJson& event);

  void say(Block& block, observe::PartKind kind, std::string_view piece);
  void close(Block& block);
  Block& block_of(const observe::WireJson& event);
  std::string& arguments_of(Block& call);
  void fail(std::string reason);
  void note(std::string_view shape) { answer_.shapes.emplace(shape); }

  observe::Answer answer_;
  std::map<std::uint64_t, Block> content_;          ///< Open blocks by their index.
  Block plan_;                                      ///< The tool plan.
  std::vector<Block> calls_;                        ///< In the order of their starts.
  std::map<std::uint64_t, std::size_t> by_number_;  ///< The latest call of each index.
  std::uint64_t last_content_ = 0;                  ///< Index of the block that began last.
  std::string citations_;                           ///< Elements of a JSON array.
  std::string id_;                                  ///< Id of the message.
  std::size_t blocks_ = 0;                          ///< Blocks of content so far.
  bool started_ = false;
  bool begun_ = false;       ///< Some part has a piece.
  bool call_waits_ = false;  ///< Some call has no place.
};

}  // namespace splitproof::dialect
