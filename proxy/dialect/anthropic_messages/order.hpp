#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

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
/// 4. A delta stands in the block that it names, and one of a known type in a block that it fits.
/// 5. `message_stop` comes last, once no block is open, and so does an error. Nothing follows either, and a body that ends
///    without one is cut off.
///
/// What these events hold beside that is not judged. State is a few numbers, whatever comes.
class AnthropicOrder {
 public:
  explicit AnthropicOrder(turn::Rules rules) : rules_(std::move(rules)) {}

  /// Says what becomes of the next frame.
  Ruling take(const wire::Frame& frame);

  /// Says how the stream ends where its body does.
  Ruling end(turn::BodyEnd end, std::string& out) const;

  /// Stops the block that is open, unless it is an empty text, and ends the stream in an error.
  void fail(const turn::Failure& failure, std::string& out) const;

  /// The client has been told how the message ends, and more may follow: never.
  static bool ended() { return false; }

  bool operator==(const AnthropicOrder&) const = default;

 private:
  enum class Block : std::uint8_t { text, thinking, call, compaction, other };

  Ruling take_event(const wire::Json& event, const std::string& name);
  std::string problem_of(const std::string& type, const wire::Json& event);
  std::string start_block(const wire::Json& event);
  std::string delta_problem(const wire::Json& delta) const;

  turn::Rules rules_;
  bool started_ = false;
  bool finished_ = false;                  // a stop_reason was said
  std::optional<std::uint64_t> next_ = 0;  // the index of the next block; none: any
  std::optional<std::uint64_t> open_;      // of the block that is open
  Block block_ = Block::other;             // what that holds
  bool said_ = false;                      // a delta was in it
};

}  // namespace splitproof::proxy::dialect
