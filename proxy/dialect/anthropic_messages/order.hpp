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

/// Order of the events in a stream of Anthropic Messages:
///
/// 1. Every frame is a JSON object. Its name, if any, is its type or `message`: clients ignore other names. Frames of
///    unknown types and pings pass anywhere.
/// 2. `message_start` comes once, and only an error may come before it.
/// 3. Blocks follow one another. They count up from 0, or from anywhere if the start has content. Each is stopped. If
///    the knobs allow it, they overlap, or their numbers begin anywhere and have gaps.
/// 4. A delta is inside its block. A delta of a known type fits the block.
/// 5. `message_stop` comes last, when no block is open. So does an error. A body without either is cut off.
///
/// Other content of these events is not checked. The state is a few numbers, and the open blocks if they overlap.
class AnthropicOrder {
 public:
  AnthropicOrder(turn::Rules rules, const Knobs& knobs) : rules_(std::move(rules)), knobs_(knobs) {}

  /// Decides about the next frame.
  Ruling take(const wire::Frame& frame);

  /// Decides about the end of the body.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Stops the open blocks except empty texts, and ends the stream with an error.
  void fail(const turn::Failure& failure, std::string& out) const;

  /// Always false: nothing may follow the end that the client has received.
  static bool ended() { return false; }

  bool operator==(const AnthropicOrder&) const = default;

 private:
  enum class Holds : std::uint8_t { text, thinking, call, compaction, other };

  struct Block {
    Holds holds;
    bool empty;  // a text without content so far

    bool operator==(const Block&) const = default;
  };

  Ruling take_event(const wire::Json& event, const std::string& name);
  std::string problem_of(const std::string& type, const wire::Json& event);
  std::string start_block(const wire::Json& event);
  static std::string delta_problem(const wire::Json& delta, Holds holds);

  turn::Rules rules_;
  Knobs knobs_;
  bool started_ = false;
  bool finished_ = false;                  // a stop_reason has come
  std::optional<std::uint64_t> next_ = 0;  // index of the next block, or the least allowed; none: any
  std::map<std::uint64_t, Block> open_;    // by index
};

}  // namespace splitproof::proxy::dialect
