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

/// Limits above which an answer is an error. No provider comes near them.
inline constexpr std::size_t kMaxResponsesEvent = 16 << 20;  ///< Bytes of one event's data.
inline constexpr std::size_t kMaxResponsesItems = 4096;
inline constexpr std::size_t kMaxResponsesPieces = 16384;

/// Reads the meaning of a stream of Responses, event by event. contracts/specifications/provider-quirks.md lists the
/// irregularities. The harness judges proxies by this reading, and shares no code with them.
///
/// The documents leave these choices to the reading:
/// - The `type` in the data is the type of an event, whatever its name. The name `error` alone makes an error, too.
/// - The first response.completed, .incomplete, .failed or .cancelled is the end, and nothing after it counts. The
///   status of the response decides how it ended, whatever the event is called. A failure in either is a failure. An
///   incomplete answer was cut short, unless a filter is the reason.
/// - An error ends the answer. So does another response that begins before this one ends.
/// - Data that is not one JSON object, or not UTF-8, is an error. `[DONE]`, and a last event without its blank line,
///   are ignored.
/// - An event belongs to the item with its output_index and its item_id. Otherwise the item_id decides, then the latest
///   item of the output_index, then an open item of the call_id. The item must have the right type.
/// - Without such an item the event begins one. Its deltas count once the item is added or done, or at the end. It is
///   added by its id, or by its output_index if one of the two has no id. An item without a type is ignored.
/// - The last event repeats items in their order, under the same ids or others.
/// - These are ambiguous, so that a proxy may end in an error: an event for two items, for an item of another type, or
///   for none although one of its type is open; prose after prose of a later part; text after the event with the whole
///   text; arguments that go on after they were whole and something else began; a value of another JSON type than a
///   string.
/// - The protocol repeats each text up to five times. Deltas come first. An event with the whole text (an event of type
///   .done, an item, the last event) may add to them. If it is empty, it adds nothing. If it contradicts the deltas, it
///   is an error, and so is another name of a call. Of two call_ids either counts. For a custom call, or for reasoning
///   that does not count, a contradiction is ambiguous.
/// - The last delta may equal all deltas before it, if there are several. It is a repetition if an event with the whole
///   text has that text once. Without such an event it is left out, and the text is not compared.
/// - Deltas whose number counts up belong to one part if an event has all of them at once.
/// - Text in the start of a part or a message counts, and deltas go on after it. A start after the deltas adds nothing.
///   If they do not begin with it, it is ambiguous. Arguments in the start of a call count only if nothing else has
///   any, as some servers put `{}` there.
/// - Each part of a message is a part, and each part of a reasoning item. If an item has both a summary and the full
///   reasoning, the first with text counts, and of a whole item the summary. The other is in `extra`.
/// - `function_call` and `custom_tool_call` are calls. Any other item is opaque: its JSON as it came last.
/// - The type of an opaque part is that of its item, with these exceptions. A call of a built-in tool whose output the
///   answer has, too, is an `answered_call`, and ambiguous. A search for tools that the client makes is a
///   `client_tool_search_call`. A generation with an image is a `generated_image`, a failed one without is a
///   `failed_image`.
/// - A part of a message that is neither text nor a refusal has the type `content.TYPE`. Audio is a note.
/// - An unknown event is ignored. If it has a `delta`, `text`, `item` or `part`, that is a note.
/// - Text for a part that is not the last one is added at the end of the answer, unless it continues arguments.
/// - Encrypted content is the signature of the first part of its reasoning, the last value that came. Without other
///   reasoning it is a part without text.
/// - The last value of each count is used. Members without a place in a part, and other counts, are in `extra`, as
///   compact JSON. Unread members of events and of the response are there as well.
///
/// so_far() depends only on the events taken. Reading takes time linear in their bytes, times the logarithm of the
/// number of items.
class ResponsesReading final : public AnswerReader {
 public:
  void take(const observe::SseEvent& event) override;

  /// Takes the whole body once it has ended. One JSON object instead of an event stream may be an error. An answer in
  /// one piece counts as nothing.
  void take_plain_body(std::string_view body) override;

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const ResponsesReading&) const = default;

 private:
  /// The list of an item that has a piece.
  enum class List : std::uint8_t { summary, content, call, whole };

  /// The share of an item or a part that an event has.
  enum class Stage : std::uint8_t { start, all };

  /// A piece of an item. Its part is in the answer once it is placed. The rest waits here for the end.
  struct Piece {
    List list = List::content;
    observe::Part part;                ///< While it is not placed.
    std::optional<std::size_t> place;  ///< Among the answer's parts.
    std::string late;                  ///< Text that came after the start of a later part.
    observe::SurrogateJoiner halves;
    observe::JsonProgress progress;  ///< Progress of arguments.
    std::string start;               ///< Arguments in the start of a call; an opaque item as JSON.
    std::map<std::string, std::string> members;  ///< Members that nothing else reads, as JSON.
    std::string last_delta;
    std::string held;          ///< A delta that may repeat all deltas before it.
    std::size_t deltas = 0;    ///< Deltas with text.
    std::size_t begun = 0;     ///< Calls that had begun before this one.
    std::size_t position = 0;  ///< Among the pieces of its item.
    bool whole = false;        ///< An event had its whole text.
    bool goes_on = false;      ///< It is more of the piece before it, under a number that counted up.

    bool operator==(const Piece&) const = default;
  };

  struct Item {
    std::string type;
    std::string id;                              ///< The first one.
    std::uint64_t rank = 0;                      ///< Its output_index, or its number.
    std::map<std::string, std::string> members;  ///< Members that nothing else reads, as JSON.
    std::vector<std::size_t> pieces;             ///< In the order in which they came.
    std::map<std::tuple<List, observe::PartKind, std::uint64_t>, std::size_t> by_index;
    std::map<std::pair<List, observe::PartKind>, std::string>
        together;                 ///< The joined text of parts whose number counted up.
    std::optional<List> reasons;  ///< The list of reasoning that counts.
    std::string sealed;           ///< Encrypted content of reasoning.
    std::set<std::string> calls;  ///< Opaque items only: each id of the call that an event named.
    bool failed = false;          ///< Opaque items only: an event said so.
    bool of_client = false;       ///< The same: the client runs it.
    bool announced = false;       ///< An event added it, or had all of it.
    bool done = false;            ///< By its own event.
    bool repeated = false;        ///< By the last one.

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
  bool has_text(const Piece& piece) const;
  void note_unclear(const Piece& piece);
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
  std::vector<Item> items_;  ///< In the order in which they came.
  /// Order of items among the parts. The place of a late call is where it became known.
  std::vector<std::size_t> order_;
  std::vector<Piece> pieces_;  ///< In the order in which they came.
  std::map<std::uint64_t, std::size_t> by_index_;
  std::map<std::string, std::size_t> by_id_, by_call_;
  std::map<std::pair<std::uint64_t, std::string>, std::size_t> by_both_;
  std::optional<std::uint64_t> sequence_;
  std::set<std::string> ids_;  ///< Ids of calls.
  std::size_t calls_ = 0;
  std::size_t spoken_ = 0;  ///< One past the last item with text.
  /// The last item and piece with text, for thinking and for other text.
  std::map<bool, std::pair<std::size_t, std::size_t>> furthest_;
  std::string id_;  ///< Id of the response.
  bool started_ = false;
  bool begun_ = false;  ///< Some part has a piece.
};

}  // namespace splitproof::dialect
