#pragma once

#include <bitset>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/calls.hpp"
#include "harness/dialect/openai_chat/ending.hpp"
#include "harness/dialect/openai_chat/error.hpp"
#include "harness/dialect/openai_chat/shapes.hpp"
#include "harness/dialect/openai_chat/thinking.hpp"
#include "harness/dialect/upstream.hpp"
#include "harness/dialect/usage_counts.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits above which an answer is an error. No provider comes near them.
inline constexpr std::size_t kMaxChatEvent = 16 << 20;  ///< Bytes of one event's data.
inline constexpr std::size_t kMaxChatCalls = 1024;
inline constexpr std::size_t kMaxChatCallBytes = 32 << 20;  ///< Bytes of all calls' ids, names and arguments.

/// Reads the meaning of a Chat Completions stream, event by event. contracts/specifications/provider-quirks.md lists
/// the irregularities. The harness judges translators by this reading, and shares no code with them.
///
/// The page leaves these choices to the reading:
/// - A breakdown is an error, and its finish reason is kept.
/// - Errors number events from 0. `event:` without a name, or with the name `message`, gives no name.
/// - A chunk is read in this order: thinking, text, refusal, calls. A content array is read in its own order.
/// - A refusal is a part after the text of its chunk.
/// - All entries for choice 0 in one chunk count, in their order. All other choices are one note.
/// - A repetition of thinking as a whole adds only its signature. thinking.hpp has the conditions. If they leave it
///   open, the thinking is not compared.
/// - A `message` next to the deltas repeats them. If no delta had content, the message is the answer. A call that only
///   the message has counts. Both cases are ambiguous.
/// - A signature ends its thought, so later thinking is another part. Another `index` begins another part, too. A
///   signature without thinking is a part. A late signature of an unsigned thought is a note.
/// - An unread member with a value is a note, such as `the delta.images`. unread.hpp lists the exceptions.
/// - Parts of a content array are read by their types: see content_parts.hpp.
/// - `function_call` counts if its delta has no element in `tool_calls`. It is a call at a place of its own.
/// - The first finish reason counts, in lower case. A later one counts if it shows that the answer was cut short.
/// - The model is the first that a chunk with a choice names.
/// - Usage is also read in the choice and in `x_groq`. The usage of the chunk has the last word. Other keys have no
///   usage.
/// - Complete arguments end their call once another part has begun. Later blanks are left out, and other pieces are an
///   error.
/// - After an error nothing counts but [DONE].
/// - Halves of a surrogate pair join across the pieces of one part. The next part ends prose, the end of the answer a
///   call.
/// - Complete arguments that come again as a whole count once: twice they are not JSON. This is ambiguous.
/// - `{}` as the first piece of arguments is held until the next piece. If that begins an object, it replaces `{}`.
/// - A piece of a call without id, name and arguments makes no part.
/// - After content, a chunk with a role and another id than at least two chunks before it may begin another answer. Its
///   parts have the type `another answer`, and the answer is ambiguous.
/// - [DONE] without content and without a finish reason has the shape `done_alone`.
///
/// so_far() depends only on the events taken. Reading takes time linear in their bytes, times the logarithm of the
/// number of calls.
class ChatReading final : public AnswerReader {
 public:
  /// `holds_placeholders` is false for a client that shows each piece of arguments at once.
  explicit ChatReading(observe::SameIndexNewId rule = observe::SameIndexNewId::new_call,
                       bool holds_placeholders = true)
      : calls_(rule), holds_placeholders_(holds_placeholders) {}

  /// Takes the next event of the body, as SseReader reads it. An unterminated event counts if it is a whole JSON object
  /// or [DONE].
  void take(const observe::SseEvent& event) override;

  /// Takes the whole body once it has ended. One JSON object instead of an event stream may be an error. An answer in
  /// one piece counts as nothing.
  void take_plain_body(std::string_view body) override;

  /// Returns the meaning of all events so far. Only the end adds calls that lack id or name, waiting high surrogates, a
  /// held `{}`, and the shapes that kChatShapes marks "Ends". The answer only grows: parts are added at the end, and
  /// text at the end of parts.
  const observe::Answer& so_far() const override { return answer_; }

  /// Returns the calls that lack id or name so far, by the order of their first pieces.
  const std::map<std::size_t, observe::Part>& waiting() const { return waiting_; }

  /// Returns the meaning of the answer if its body ends here. Calls that still lack id or name come last, in the order
  /// of their rank. Calls of one rank come in the order of their first pieces.
  observe::Answer finished() const override;

  bool operator==(const ChatReading&) const = default;

 private:
  /// The last part, if it is prose. It is not among the parts as long as all of it is half a surrogate pair.
  struct OpenProse {
    observe::PartKind kind;
    bool placed = false;
    std::size_t pieces = 0;
    observe::SurrogateJoiner surrogates;
    std::string last_piece;

    bool operator==(const OpenProse&) const = default;
  };

  /// The last thought.
  struct Thought {
    std::optional<std::uint64_t> number;  ///< `index` of its elements.
    std::string signature;
    bool sealed = false;  ///< It has a signature, or data that only the provider can read follows it.

    bool operator==(const Thought&) const = default;
  };

  /// The contents of one chunk, as far as they influence each other.
  struct ChunkSight {
    bool thinking = false;
    bool text = false;
    bool content = false;                ///< Prose or a call.
    std::optional<std::size_t> call;     ///< The last call it had a piece of.
    std::optional<ReportedError> error;  ///< Reported in it.
    std::vector<std::string> finishes;   ///< In lower case.
  };

  void take_chunk(const observe::WireJson& chunk, bool error_event);
  void take_choice(const observe::WireJson& choice, ChunkSight& sight);
  void note_identity(const observe::WireJson& chunk, const observe::WireJson& choice);
  void take_other(const observe::WireJson& choice);
  void take_message(const observe::WireJson& message, ChunkSight& sight);
  void take_delta(const observe::WireJson& delta, ChunkSight& sight);
  void take_reasoning(const observe::WireJson& delta, ChunkSight& sight);
  ChatThinking thinking_before(std::size_t bytes) const;
  void take_thought(const ThoughtPiece& piece, ChunkSight& sight);
  void take_signature(const ThoughtPiece& piece, ChunkSight& sight);
  void begin_thought(ChunkSight& sight);
  bool thinks() const;
  void take_content(const observe::WireJson& content, ChunkSight& sight);
  void add_part(observe::PartKind kind);
  void note_beginning(observe::PartKind prose);
  void take_piece(observe::PartKind kind, std::string_view piece, ChunkSight& sight);
  void take_call(const observe::WireJson& element, std::optional<std::size_t> place, ChunkSight& sight);
  observe::Part& part_of(std::size_t number);
  void take_sign(const CallSign& sign, std::size_t number);
  void take_arguments(std::size_t number, std::string_view piece);
  bool keeps_held(std::size_t number, std::string_view piece);
  void add_arguments(std::size_t number, std::string_view said);
  void take_finish(const std::string& word);
  void keep(std::string_view object, const observe::WireJson& member);
  bool take_usage(const observe::WireJson& usage);

  void place_call(std::size_t number);
  void end_prose();
  void settle();
  void fail(std::string reason);
  void fail(ReportedError error);
  void note(ChatShape shape);
  void note_unclear(ChatShape shape);
  void note_surrogates(const observe::SurrogateJoiner& surrogates);

  observe::Answer answer_;
  UsageCounts usage_{"openai.chat", false};
  ChatCalls calls_;
  bool holds_placeholders_ = true;
  std::map<std::size_t, observe::Part> waiting_;
  std::optional<OpenProse> prose_;
  std::map<std::uint64_t, ChatReading> others_;  ///< The other choices by their `index`.
  Thought thought_;
  std::string thought_under_;             ///< The key under which the last piece of thinking came.
  std::string unlisted_;                  ///< Thinking that came as a string, since the last list with text.
  std::size_t thoughts_ = 0;              ///< Pieces of thinking.
  std::vector<std::size_t> thinking_;     ///< The parts that are thinking in words.
  std::set<std::string> ids_;             ///< Ids of calls.
  bool begun_ = false;                    ///< Some part has a piece.
  std::size_t calls_said_ = 0;            ///< Calls with an id, a name or arguments.
  std::vector<std::size_t> placed_;       ///< The calls that are among the parts, in their order.
  std::optional<std::size_t> last_call_;  ///< The call that had the last piece.
  std::size_t call_bytes_ = 0;
  std::size_t events_ = 0;
  std::string id_;                ///< Id of the last chunk with choice 0 and an id.
  std::size_t chunks_of_id_ = 0;  ///< Such chunks in a row.
  bool spliced_ = false;          ///< Another answer may have begun.
  ChatEnvelope envelope_;
  std::bitset<kChatShapeCount> noted_;
};

}  // namespace splitproof::dialect
