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

/// Limits beyond which an answer is not read on but an error; no provider comes near.
inline constexpr std::size_t kMaxChatEvent = 16 << 20;  ///< bytes of one event's data
inline constexpr std::size_t kMaxChatCalls = 1024;
inline constexpr std::size_t kMaxChatCallBytes = 32 << 20;  ///< of all calls' ids, names and arguments

/// Reads what a Chat Completions stream means, event by event, as docs/provider-quirks.md says that each
/// irregularity is to be read. It is the yardstick for translators, and shares no code with any.
///
/// Where the page leaves a choice, this is what is read:
/// - Breakdowns are told as errors and as finish reasons.
/// - Events are numbered from 0 in errors. `event:` with no name or the name `message` is no name.
/// - Within a chunk: thinking, text, refusal, calls; the parts of a content array in the array's order.
/// - A refusal is a part of its own, behind the text of its chunk.
/// - Several entries for choice 0 in one chunk all count, in their order. All other choices are one note.
/// - Thinking that comes once more as a whole is a snapshot of what was said, and only its signature is new: thinking.hpp
///   says when. What may be one, or new, is unclear: then it is not compared.
/// - A `message` beside the deltas repeats them. If no delta said anything, it is the answer; a call that it alone has
///   counts. Both are ambiguous.
/// - A signature ends its thought: thinking behind it is another part. So is thinking under another `index`. A signature
///   without thinking is a part by itself. One of an unsigned thought that something else followed is a note.
/// - A member with a value that nothing reads is a note, `the delta.images`; unread.hpp says what is none.
/// - `function_call` counts where its own delta has no call in `tool_calls`, as a call at a place of its own.
/// - Of several finish reasons the first that says that the answer was cut short counts, else the first. It
///   is kept in lower case.
/// - The model is the first that a chunk with a choice names.
/// - Usage is also read in the choice and under `x_groq`; the chunk's own has the last word. What stands under a key that
///   nobody documents is no usage.
/// - A call whose arguments were complete and behind which another part began gets no more: what is not blank
///   is an error, what is blank is left out.
/// - After an error nothing counts but that [DONE] was seen.
/// - Halves of a surrogate pair join across the pieces of one part. For prose another part's beginning ends
///   that, for a call the end of the answer does.
/// - Arguments that are one whole object and come again are said once: twice they would be no JSON. It is ambiguous.
/// - A sign that a call exists, with neither id, name nor arguments, is no part.
///
/// Promises: what so_far() says is a function of the events taken, and reading is linear in their bytes, but
/// for the logarithm of the number of calls.
class ChatReading final : public AnswerReader {
 public:
  explicit ChatReading(observe::SameIndexNewId rule = observe::SameIndexNewId::new_call) : calls_(rule) {}

  /// The next event of the body, as SseReader reads it. What it finds in an unterminated tail counts if it is
  /// a whole JSON object or [DONE].
  void take(const observe::SseEvent& event) override;

  /// The body has ended, and this is all of it. If it is no event stream but one JSON object, as some servers
  /// answer with an error, it is that error; an answer in one piece means nothing.
  void take_plain_body(std::string_view body) override;

  /// What all events so far mean, without what only the end can tell: calls that lack id or name, high
  /// surrogates that wait for their low ones, and the shapes that kChatShapes marks "Ends". What
  /// it says of parts only ever grows: parts are added at the end, and text at the end of parts.
  const observe::Answer& so_far() const override { return answer_; }

  /// The calls that lack id or name so far, with the arguments they have, by the order of their first pieces.
  const std::map<std::size_t, observe::Part>& waiting() const { return waiting_; }

  /// What the answer means if its body ends here. Calls that still lack id or name are appended in the order
  /// of their rank, those of one rank in the order of their first pieces.
  observe::Answer finished() const override;

  bool operator==(const ChatReading&) const = default;

 private:
  /// The part that prose would be added to. It stands at the end of the parts, unless all it has is the first
  /// a lone surrogate.
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
    std::optional<std::uint64_t> number;  ///< `index` of its elements
    std::string signature;
    bool sealed = false;  ///< it has a signature, or data that only the provider can read follows it

    bool operator==(const Thought&) const = default;
  };

  /// What one chunk holds, as far as its parts have to know of each other.
  struct ChunkSight {
    bool thinking = false;
    bool text = false;
    bool content = false;                ///< prose or a call
    std::optional<std::size_t> call;     ///< the last call it had a piece of
    std::optional<ReportedError> error;  ///< reported in it
    std::vector<std::string> finishes;   ///< in lower case
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
  std::map<std::size_t, observe::Part> waiting_;
  std::optional<OpenProse> prose_;
  std::map<std::uint64_t, ChatReading> others_;  ///< the other choices by their `index`
  Thought thought_;
  std::string thought_under_;             ///< the key under which the last piece of thinking came
  std::string unlisted_;                  ///< thinking that came as a string, since the last list with text
  std::size_t thoughts_ = 0;              ///< pieces of thinking
  std::vector<std::size_t> thinking_;     ///< the parts that are thinking in words
  std::set<std::string> ids_;             ///< of calls
  bool begun_ = false;                    ///< a piece of some part came
  std::size_t calls_said_ = 0;            ///< calls with an id, a name or arguments
  std::vector<std::size_t> placed_;       ///< the calls that are among the parts, in their order
  std::optional<std::size_t> last_call_;  ///< the call that the last piece of one belonged to
  std::size_t call_bytes_ = 0;
  std::size_t events_ = 0;
  std::string id_;                ///< of the last chunk with choice 0 and an id
  std::size_t chunks_of_id_ = 0;  ///< such chunks in a row
  bool spliced_ = false;          ///< another answer may have begun
  ChatEnvelope envelope_;
  std::bitset<kChatShapeCount> noted_;
};

}  // namespace splitproof::dialect
