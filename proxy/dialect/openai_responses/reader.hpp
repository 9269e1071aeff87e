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

/// Reads a stream of OpenAI's Responses into the canonical turn. The `type` in the data says what an event is, whatever its
/// name, but for `error`. The response ends with the first event that says so: completed, incomplete, failed, cancelled.
///
/// The protocol says everything up to five times. Deltas are passed on at once, except one that may repeat those before it
/// (see Deltas). Without an event that has the whole text such a delta is new, unless it is complete arguments. An event that says all of something, be it
/// the one behind the deltas, the part, the item or a response that did not fail, says what is missing; what contradicts
/// is a failure. Arguments that a call begins with count where nothing else says any, once it has ended.
///
/// An event belongs to the item that was added with its id under its output_index, else to the latest of its id, else of its
/// output_index, else to the one of its call_id that is not done: some servers change ids on the way, or have none. What
/// names two items, one of another type, or none while one of its type is open, is a failure. Whatever is added is another
/// item, unless events named it before: by its id, or by its output_index where one of the two has no id.
///
/// Parts of a message and of reasoning are parts. Of an item that has its reasoning as a summary and in full, what speaks
/// first counts, and the summary of what comes whole. Calls of custom tools are the provider's own, for no upstream is told
/// of any: they and all other items, annotations, what is encrypted, and events of other types say nothing.
///
/// An event that is no JSON object is a failure, but for `[DONE]`, or where the body ended inside it. A bare body is the
/// error that it reports.
class ResponsesReader {
 public:
  explicit ResponsesReader(Limits limits) : limits_(limits) {}

  /// Reads one frame and appends what it says.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// The body is over: appends what waits.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events);

  bool operator==(const ResponsesReader&) const = default;

 private:
  using Events = std::vector<turn::Event>;

  enum class ItemType : std::uint8_t { message, reasoning, call, other, none };
  enum class Extent : std::uint8_t { none, start, more, all };  // how much of something an event says

  // How the protocol calls what holds a text.
  struct Words {
    std::string_view event;  // that says it, without `response.` and `.delta` or `.done`
    std::string_view part;   // the type of its part
    std::string_view index;  // which part of its item it is
    std::string_view text;   // the member that has it
    ItemType item;
    turn::BlockKind kind;
  };

  static const std::array<Words, 4> kWords;
  using WordsRow = std::size_t;  // of that table

  // How an event says which item it is of.
  struct Address {
    std::optional<std::uint64_t> index;
    std::uint64_t id;       // the mark of the item's id; 0: there is none
    std::uint64_t call_id;  // likewise
  };

  struct Item {
    ItemType type = ItemType::other;
    std::uint64_t id = 0;    // the mark of its id; 0: it has none
    bool announced = false;  // it was added, or is done
    bool open = false;       // it was added and is not done
    std::size_t pieces = 0;
    std::optional<WordsRow> reasons = {};  // of reasoning: in which way
    std::size_t call = 0;                  // of a call: its number
    std::uint64_t rank = 0;                // likewise: the upstream's, else that of the item
    std::uint64_t call_id = 0;             // likewise: the mark of that; 0: it has none
    std::uint64_t name = 0;                // likewise
    std::string start = {};  // likewise: the arguments that it began with, until there are others
    Deltas arguments = {};   // likewise
    bool repeated = false;   // by the last event

    bool operator==(const Item&) const = default;
  };

  // The items that the last event has not repeated yet, by what tells them apart. Each is left out once.
  class Unrepeated {
   public:
    enum class By : std::uint8_t { id, call_id, type };

    explicit Unrepeated(const std::vector<Item>& items);

    // The first of this type; of a mark, too, unless it is by type alone.
    std::optional<std::size_t> first(By by, ItemType type, std::uint64_t mark);

   private:
    const std::vector<Item>& items_;
    std::map<std::tuple<By, ItemType, std::uint64_t>, std::vector<std::size_t>>
        numbers_;  // the first is the last
  };

  struct Piece {
    std::size_t part = 0;
    Deltas text = {};

    bool operator==(const Piece&) const = default;
  };

  // What parts of one kind said that no event has ended yet. Where an event says all of that at once, they are one part,
  // whose number counted up with its deltas.
  struct Together {
    Said said = {};
    std::size_t pieces = 0;
    bool repeats = false;  // an event said all of it

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
  std::uint64_t id_ = 0;                                          // the mark of the response's id
  std::vector<Item> items_;                                       // in the order in which they came
  std::array<std::size_t, 5> open_ = {};                          // how many items of each type are open
  std::map<std::optional<std::uint64_t>, std::size_t> by_index_;  // the latest of each output_index
  std::map<std::uint64_t, std::size_t> by_id_;                    // likewise of each id, by its mark
  std::map<std::pair<std::optional<std::uint64_t>, std::uint64_t>, std::size_t> by_both_;
  std::map<std::uint64_t, std::size_t> by_call_id_;  // the latest of each call_id, likewise
  std::map<std::tuple<std::size_t, WordsRow, std::uint64_t>, Piece> pieces_;  // by item, and index in it
  std::map<std::pair<std::size_t, WordsRow>, std::set<std::uint64_t>>
      spoken_;  // of these that said something
  std::map<std::pair<std::size_t, WordsRow>, Together> together_;
  std::size_t calls_ = 0;
  std::size_t start_bytes_ = 0;    // of arguments that calls began with
  std::size_t waiting_bytes_ = 0;  // of deltas
  UsageReader usage_{"openai.responses", false};
};

}  // namespace splitproof::proxy::dialect
