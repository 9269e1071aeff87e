#pragma once

#include <array>
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

#include "proxy/dialect/openai_responses/deltas.hpp"
#include "proxy/dialect/said.hpp"
#include "proxy/dialect/usage_member.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads a stream of OpenAI's Responses into the canonical turn.
///
/// - The `type` in the data is the type of an event, whatever the event's name is. The exception is the name `error`.
/// - The response ends with the first event `completed`, `incomplete`, `failed` or `cancelled`.
/// - An event that is no JSON object is a failure, except `[DONE]`, and an event inside which the body ended.
/// - A bare body is read for its error only.
///
/// The protocol sends each text up to five times: in deltas, after the deltas, in its part, in its item and in the response.
///
/// - Deltas are passed on at once, except a delta that may repeat all deltas before it (see Deltas). If no event has the whole
///   text, such a delta is new, unless it is complete arguments.
/// - An event with a whole text adds what the deltas lack. If it contradicts the deltas, it is a failure.
/// - Arguments in the start of a call count if no other event has any.
///
/// Some servers change ids on the way, or have none. So an event belongs to the first of these items that exists:
///
/// 1. the item that was added with the event's id and output_index
/// 2. the latest item with its id
/// 3. the latest item with its output_index
/// 4. the open item with its call_id
///
/// It is a failure if an event names two items, an item of another type, or no item while one of its type is open. An added
/// item is a new item, unless earlier events named it: by its id, or by its output_index if one of them has no id.
///
/// - The parts of messages and of reasoning are parts. If an item has its reasoning as a summary and in full, the form that
///   comes first counts. Of a whole item, the summary counts.
/// - Calls of custom tools are the provider's own, since the proxy offers functions only. They are left out.
/// - Images, audio, and calls that wait for the client and are no functions are `Unplaced`. A call whose output is in the answer
///   too does not wait.
/// - Other items, annotations, encrypted content and events of other types are left out.
class ResponsesReader {
 public:
  explicit ResponsesReader(Limits limits) : limits_(limits) {}

  /// Reads one frame and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// Takes the end of the body and appends what waits.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events);

  bool operator==(const ResponsesReader&) const = default;

 private:
  using Events = std::vector<turn::Event>;

  enum class ItemType : std::uint8_t { message, reasoning, call, other, none };
  enum class Extent : std::uint8_t { none, start, more, all };  // How much of a text an event has.

  // The protocol's names for a kind of text.
  struct Words {
    std::string_view event;  // Type of its events, without `response.` and `.delta` or `.done`.
    std::string_view part;   // Type of its parts.
    std::string_view index;  // Member with the number of the part in its item.
    std::string_view text;   // Member with the text.
    ItemType item;
    turn::BlockKind kind;
  };

  static const std::array<Words, 4> kWords;
  using WordsRow = std::size_t;  // Index into kWords.

  // The members by which an event names its item.
  struct Address {
    std::optional<std::uint64_t> index;
    std::uint64_t id;       // Mark of the item's id, or 0 if there is none.
    std::uint64_t call_id;  // Mark of the call_id, or 0.
  };

  struct Item {
    ItemType type = ItemType::other;
    std::uint64_t id = 0;    // Mark of its id, or 0 if it has none.
    bool announced = false;  // It was added, or is done.
    bool open = false;       // It was added and is not done.
    std::size_t pieces = 0;
    std::optional<WordsRow> reasons = {};  // Form of reasoning that counts.
    std::size_t call = 0;                  // Number of a call.
    std::uint64_t rank = 0;                // The upstream's number of a call, or the number of the item.
    std::uint64_t call_id = 0;             // Mark of a call's call_id, or 0 if it has none.
    std::uint64_t name = 0;                // Mark of a call's name, or 0.
    std::string start = {};                // Arguments in the start of a call, until there are others.
    Deltas arguments = {};                 // Arguments of a call.
    bool repeated = false;                 // The last event has repeated it.

    bool operator==(const Item&) const = default;
  };

  // Finds the items that the last event has not repeated yet.
  class Unrepeated {
   public:
    enum class By : std::uint8_t { id, call_id, type };

    explicit Unrepeated(const std::vector<Item>& items);

    // Returns the first item with this type and mark. By::type ignores the mark.
    std::optional<std::size_t> first(By by, ItemType type, std::uint64_t mark);

   private:
    const std::vector<Item>& items_;
    std::map<std::tuple<By, ItemType, std::uint64_t>, std::vector<std::size_t>>
        numbers_;  // In reverse order.
  };

  struct Piece {
    std::size_t part = 0;
    Deltas text = {};

    bool operator==(const Piece&) const = default;
  };

  // The joined text of parts of one kind that no event has ended yet. If an event has all of it at once, they are one part,
  // whose number increased with its deltas.
  struct Together {
    Said said = {};
    std::size_t pieces = 0;
    bool repeats = false;  // An event had all of it.

    void take(std::string_view text, bool begins);
    bool says(std::string_view all) const;
    bool operator==(const Together&) const = default;
  };

  static ItemType type_of(const wire::Json& item);
  static std::optional<WordsRow> words_of_part(const wire::Json& part);

  void read_event(const wire::Json& event, std::string_view type, Events& events);
  void read_piece(const wire::Json& event, std::string_view type, Extent extent, Events& events);
  void begin(const wire::Json& response, Events& events);
  void end(const wire::Json& response, std::string_view type, Events& events);

  std::optional<std::size_t> find(const Address& address, ItemType type, Events& events) const;
  std::optional<std::size_t> find_early(const Address& address, ItemType type) const;
  std::optional<std::size_t> find_or_add(const wire::Json& event, ItemType type, Events& events);
  std::optional<std::size_t> add(const Address& address, ItemType type, Events& events);
  void know(std::size_t number, const Address& address);
  bool has_room(Events& events) const;
  void read_item(const wire::Json& event, Extent extent, Events& events);
  void note_item(const wire::Json& item, Events& events);
  void repeat(const wire::Json& item, Unrepeated& unrepeated, Events& events);

  void say_item(std::size_t number, const wire::Json& json, Extent extent, Events& events);
  void say_call(std::size_t number, const wire::Json& json, Extent extent, Events& events);
  void say(std::size_t number, WordsRow row, std::uint64_t index, std::string text, Extent extent,
           Events& events);
  void say_arguments(Item& item, std::string text, Extent extent, Events& events);
  static void send_arguments(const Item& item, std::string text, Events& events);
  void count_waiting(const Deltas& deltas, std::size_t before, Events& events);
  void settle(Item& item, Events& events);
  void settle_waiting(Events& events);

  Limits limits_;
  std::uint64_t id_ = 0;                                          // Mark of the response's id.
  std::vector<Item> items_;                                       // In the order in which they came.
  std::array<std::size_t, 5> open_ = {};                          // Number of open items of each type.
  std::map<std::optional<std::uint64_t>, std::size_t> by_index_;  // The latest item of each output_index.
  std::map<std::uint64_t, std::size_t> by_id_;                    // The latest item of each mark of an id.
  std::map<std::pair<std::optional<std::uint64_t>, std::uint64_t>, std::size_t> by_both_;
  std::map<std::uint64_t, std::size_t> by_call_id_;  // The latest item of each mark of a call_id.
  std::map<std::tuple<std::size_t, WordsRow, std::uint64_t>, Piece> pieces_;    // By item, and index in it.
  std::map<std::pair<std::size_t, WordsRow>, std::set<std::uint64_t>> spoken_;  // Indices with a text.
  std::map<std::pair<std::size_t, WordsRow>, Together> together_;
  std::map<std::uint64_t, bool> client_calls_;  // By call_id or id: true if no item has the call's output.
  std::size_t calls_ = 0;
  std::size_t start_bytes_ = 0;    // Bytes of arguments in starts of calls.
  std::size_t waiting_bytes_ = 0;  // Bytes of deltas that wait.
  UsageReader usage_{"openai.responses", false};
};

}  // namespace splitproof::proxy::dialect
