#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "proxy/dialect/knobs.hpp"
#include "proxy/dialect/ruling.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/turn/ledger.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// What may come when in a stream of Anthropic Messages:
///
/// 1. Every frame is a JSON object, and its name, if it has one, its type or `message`: clients pass over other names. One
///    of a type that is not named here passes anywhere, and so does a ping.
/// 2. `message_start` comes once, before everything else but an error.
/// 3. Blocks follow one another, counted up from 0, or from anywhere behind content that the start has; each is stopped.
///    Where the knobs let them, they overlap, or their numbers begin anywhere and have gaps.
/// 4. A delta stands in the block that it names, and one of a known type in a block that it fits.
/// 5. `message_stop` comes last, once no block is open, and so does an error. Nothing follows either, and a body that ends
///    without one is cut off.
///
/// What these events hold beside that is not judged. State is a few numbers, and where blocks overlap, those of the open
/// ones.
class AnthropicOrder {
 public:
  AnthropicOrder(turn::Rules rules, const Knobs& knobs) : rules_(std::move(rules)), knobs_(knobs) {}

  /// Says what becomes of the next frame.
  Ruling take(const wire::Frame& frame);

  /// Says how the stream ends where its body does.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Stops the blocks that are open, but for empty texts, and ends the stream in an error.
  void fail(const turn::Failure& failure, std::string& out) const;

  /// The client has been told how the message ends, and more may follow: never.
  static bool ended() { return false; }

  bool operator==(const AnthropicOrder&) const = default;

 private:
  enum class Holds : std::uint8_t { text, thinking, call, compaction, other };

  struct Block {
    Holds holds;
    bool empty;  // it is a text, and nothing was said in it

    bool operator==(const Block&) const = default;
  };

  Ruling take_event(const wire::Json& event, const std::string& name);
  std::string problem_of(const std::string& type, const wire::Json& event);
  std::string start_block(const wire::Json& event);
  static std::string delta_problem(const wire::Json& delta, Holds holds);

  turn::Rules rules_;
  Knobs knobs_;
  bool started_ = false;
  bool finished_ = false;  // a stop_reason was said
  std::optional<std::uint64_t> next_ =
      0;  // the index of the next block, or the least that it may have; none: any
  std::map<std::uint64_t, Block> open_;  // by index
};

}  // namespace splitproof::proxy::dialect
