#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
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
inline constexpr std::size_t kMaxResponsesEvent = 16 << 20;  ///< bytes of one event's data
inline constexpr std::size_t kMaxResponsesItems = 4096;
inline constexpr std::size_t kMaxResponsesPieces = 16384;

/// Reads what a stream of Responses means, event by event. It is the yardstick for proxies, and shares no code with any.
/// docs/provider-quirks.md has the irregularities. What is read where the documents leave a choice:
///
/// - The `type` in the data says what an event is, whatever its name; the name `error` alone is an error too.
/// - The first of response.completed, .incomplete, .failed and .cancelled is the end, and nothing behind it counts. The
///   response's status says how it ended, whatever the event is called; a failure that either says is one. Other reasons for
///   being incomplete than a filter mean that it was cut short. An error ends the answer as well, and another response that
///   begins before this one ends.
/// - What is not one JSON object is an error, but for `[DONE]`; so is what is not UTF-8. Of a last event without its blank
///   line, it means nothing.
/// - An event belongs to the item that came under its output_index with its item_id; else to the one of that id; else to
///   the latest under that index; else to one of that call_id that is not done. It must be of that item's type. Where there
///   is no such item, there is now; what deltas say of it is told once it is added or done, or at the end. It is added by
///   its id, or by its output_index where one of the two has no id; under another id that is ambiguous, and adds another.
///   An item without a type says nothing.
///   The last event repeats items in their order, under the same ids or others.
/// - What names two items, an item of another type, or none where one of its type is open, is ambiguous, and so are prose that
///   goes on before prose of a later part, a string that goes on behind the event that says all of it, arguments that go on
///   when they are whole and something else has begun, and what should be a string and is not: of arguments, an object is
///   its JSON. It is read as above, but a proxy may end the answer in an error.
/// - The protocol says everything up to five times. What deltas say stands. Whatever says all of it (an event of type
///   .done, an item, the last event) may say more, and says nothing if it is empty; if it says other than the deltas, that
///   is an error, and so is another name of a call; of another call_id either will do. Of a custom call, or of the reasoning that does not count, it is
///   ambiguous: most clients are told of neither.
/// - The last delta of a text, of thinking or of arguments that is equal to all deltas before it, if there are several, is a
///   repetition if an event that says all of it has it once. If no event does, it may be one or not: it is left out, and that is
///   not compared.
/// - Deltas whose number counts up are of one part where an event says all of them at once.
/// - What the start of a part or a message says is said, and deltas go on. A start behind them says nothing; where they do
///   not begin with it, it is ambiguous. The arguments that a call's start has count only
///   where the call or the response ends and nothing else says any: some servers put `{}` there.
/// - Each part of a message is a part, and each part of a reasoning item. Of an item whose reasoning comes in both ways,
///   as a summary and in full, the way that says something first counts, of a whole item the summary; the other stands
///   in `extra`.
/// - `function_call` and `custom_tool_call` are calls. Any other item is opaque: its JSON as it was said last.
/// - An opaque item is a part of its own type, with these exceptions. A call of a built-in tool whose output the answer has, too,
///   is an `answered_call`; a proxy may drop both or give up. A search for tools that the client makes is a
///   `client_tool_search_call`. A generation with an image is a `generated_image`, a failed one without is a `failed_image`.
/// - A part of a message that is neither text nor a refusal is a part of the type `content.TYPE`. Audio is a note.
/// - What a delta says for a part that has another behind it is told at the end alone, but for arguments that are not whole.
/// - What is encrypted of reasoning is the signature of its first part, the last that was said; one with nothing else is a
///   part without text.
/// - Counts: the last that were said. Members of items and parts that have no place in a part, and what else the usage
///   counts, are in `extra`, as compact JSON, each as it was said last. So are members of events and of the response that
///   nothing reads, all that was said of one by events of a type.
///
/// Promises: what so_far() says is a function of the events taken, and reading is linear in their bytes, but for the
/// logarithm of the number of items.
class ResponsesReading final : public AnswerReader {
 public:
  void take(const observe::SseEvent& event) override;

  /// If the body is no event stream but one JSON object that is an error, it is that error; an answer in one piece means
  /// nothing.
  void take_plain_body(std::string_view body) override;

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const ResponsesReading&) const = default;

 private:
  enum class List : std::uint8_t { summary, content, call, whole };  ///< of an item: where a piece stands

  /// How much of an item or a part an event says.
  enum class Stage : std::uint8_t { start, all };

  /// What makes a part. It stands in the answer once it is placed; what must wait for the end is kept here.
  struct Piece {
    List list = List::content;
    observe::Part part;                ///< while it is not placed
    std::optional<std::size_t> place;  ///< among the answer's parts
    std::string late;                  ///< what was said while another part stood behind it
    observe::SurrogateJoiner halves;
    observe::JsonProgress progress;  ///< of arguments
    std::string start;               ///< arguments that a call's start has; what is opaque, as JSON
    std::map<std::string, std::string> members;  ///< as JSON, those that nothing else tells
    std::string last_delta;
    std::string held;          ///< a delta that may repeat all deltas before it
    std::size_t deltas = 0;    ///< that said something
    std::size_t begun = 0;     ///< of a call: how many calls had begun before it
    std::size_t position = 0;  ///< among the pieces of its item
    bool whole = false;        ///< an event said all of it
    bool goes_on = false;      ///< it is more of the piece before it, under a number that counted up

    bool operator==(const Piece&) const = default;
  };

  struct Item {
    std::string type;
    std::string id;                              ///< the first one
    std::uint64_t rank = 0;                      ///< its output_index, or its number
    std::map<std::string, std::string> members;  ///< as JSON, those that nothing else tells
    std::vector<std::size_t> pieces;             ///< in the order in which they came
    std::map<std::tuple<List, observe::PartKind, std::uint64_t>, std::size_t> by_index;
    std::map<std::pair<List, observe::PartKind>, std::string>
        together;                 ///< what parts say that are one, as their number counted up
    std::optional<List> reasons;  ///< of reasoning: in which way
    std::string sealed;           ///< of reasoning: what is encrypted
    bool announced = false;       ///< some event had it all
    bool done = false;            ///< by its own event
    bool repeated = false;        ///< by the last one

    bool operator==(const Item&) const = default;
  };

  void take_event(const observe::WireJson& event, const std::string& type);
  void keep_unread(const observe::WireJson& event, const std::string& type);
  bool note_settings(const observe::WireJson& response, const std::string& of);
  void take_audio(const observe::WireJson& event, const std::string& type);
  void take_response(const observe::WireJson& response);
  void end(const observe::WireJson& event, const std::string& type);
  void repeat(const observe::WireJson& item);
  bool take_said(const observe::WireJson& event, const std::string& type);
  bool take_part_event(const observe::WireJson& event, const std::string& type);

  std::optional<std::size_t> find(const observe::WireJson& event, const observe::WireJson& item,
                                  std::string_view type) const;
  std::optional<std::size_t> find_early(const observe::WireJson& event, const observe::WireJson& item,
                                        std::string_view type);
  bool is_ambiguous(const observe::WireJson& event, const observe::WireJson& item,
                    std::string_view type) const;
  std::optional<std::size_t> find_repeated(const observe::WireJson& item) const;
  std::optional<std::size_t> begin_item(const observe::WireJson& event, const observe::WireJson& item,
                                        std::string type);
  void name_item(std::size_t number, const observe::WireJson& event, const observe::WireJson& item);
  void take_item(std::size_t number, const observe::WireJson& item, Stage stage);
  void take_call(std::size_t number, const observe::WireJson& item, Stage stage);
  void take_parts(std::size_t number, List list, const std::vector<observe::WireJson>& parts, Stage stage);
  void take_part(std::size_t number, List list, std::uint64_t index, const observe::WireJson& part,
                 Stage stage);

  std::optional<std::size_t> piece_of(std::size_t number, List list, observe::PartKind kind,
                                      std::uint64_t index);
  observe::Part& part_of(Piece& piece) { return piece.place ? answer_.parts[*piece.place] : piece.part; }
  const observe::Part& part_of(const Piece& piece) const {
    return piece.place ? answer_.parts[*piece.place] : piece.part;
  }
  std::string said_in(const observe::WireJson& member, std::size_t piece);
  void say(std::size_t number, std::size_t piece, const observe::WireJson& delta);
  void say_all(std::size_t number, std::size_t piece, const observe::WireJson& text);
  bool says_all_of_several(std::size_t number, std::size_t piece, std::string_view all);
  bool may_repeat(const Piece& piece, const std::string& text) const;
  void release(std::size_t number, std::size_t piece, std::string_view all);
  void note_held();
  void take_turn(std::size_t number, const Piece& piece);
  void add(std::size_t number, std::size_t piece, const std::string& said);
  void place(std::size_t number, std::size_t piece);
  void close(std::size_t number, std::size_t piece);
  void close_item(std::size_t number);
  void take_start(std::size_t number);
  bool is_silent(std::size_t number) const;
  void announce(std::size_t number);
  void end_item(std::size_t number);
  void name_opaque_items();
  void fail(std::string reason);
  void note(std::string_view shape) { answer_.shapes.emplace(shape); }

  observe::Answer answer_;
  UsageCounts counts_{"openai.responses", true};
  std::vector<Item> items_;  ///< in the order in which they came
  std::vector<std::size_t>
      order_;                  ///< of items among the parts: a call that was known late stands where it was
  std::vector<Piece> pieces_;  ///< likewise
  std::map<std::uint64_t, std::size_t> by_index_;
  std::map<std::string, std::size_t> by_id_, by_call_;
  std::map<std::pair<std::uint64_t, std::string>, std::size_t> by_both_;
  std::optional<std::uint64_t> sequence_;
  std::set<std::string> ids_;  ///< of calls
  std::size_t calls_ = 0;
  std::size_t spoken_ = 0;  ///< one past the last item that said something
  std::map<bool, std::pair<std::size_t, std::size_t>>
      furthest_;    ///< of thinking or not: the last item and piece, in their order, that said something
  std::string id_;  ///< of the response
  bool started_ = false;
  bool begun_ = false;  ///< a piece of some part came
};

}  // namespace splitproof::dialect
