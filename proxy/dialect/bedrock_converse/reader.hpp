#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proxy/dialect/usage_member.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads the answers of Bedrock's `ConverseStream` into the canonical turn.
///
/// A block is known by its index. Blocks of text and thinking begin with their first delta. Content of another kind
/// under the same index is another block. So is an index that starts again. A signature ends its block of thinking.
/// Citations and calls of the provider's own tools are left out.
///
/// The last `stopReason` counts. The counts come after it, so both are sent at the end of the body. An answer without a
/// `messageStop` was cut off. So was a body that ends inside a frame. Exceptions and unreadable frames are failures.
/// Unknown events are left out.
class ConverseReader {
 public:
  explicit ConverseReader(Limits limits) : limits_(limits) {}

  /// Reads one frame and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// Takes the end of the body and appends what waits.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events);

  bool operator==(const ConverseReader&) const = default;

 private:
  enum class Kind : std::uint8_t { text, thinking, call, other };

  struct Block {
    Kind kind = Kind::other;
    std::size_t call = 0;    // Number of the call, if it is one.
    std::uint64_t rank = 0;  // Index of a call.
    bool named = false;      // A call has a name.
    bool argued = false;     // Arguments of a call were sent.
    bool stopped = false;
    std::string signature = {};  // Signature of thinking, until it is sent.

    bool operator==(const Block&) const = default;
  };

  void read_event(const std::string& name, const wire::Json& event, std::vector<turn::Event>& events);
  void start_block(std::uint64_t index, const wire::Json& start, std::vector<turn::Event>& events);
  void read_delta(std::uint64_t index, const wire::Json& delta, std::vector<turn::Event>& events);
  void read_thinking(std::uint64_t index, const wire::Json& thinking, std::vector<turn::Event>& events);
  void read_arguments(std::uint64_t index, const wire::Json& input, std::vector<turn::Event>& events);
  void add_prose(std::uint64_t index, Kind kind, const wire::Json& text, std::vector<turn::Event>& events);
  Block* add_block(std::uint64_t index, Kind kind, std::vector<turn::Event>& events);
  Block* block_of(std::uint64_t index, Kind kind, std::vector<turn::Event>& events);
  void stop_block(std::uint64_t index, std::vector<turn::Event>& events);
  void settle_last(bool went_on, std::vector<turn::Event>& events);
  static void send_signature(Block& block, std::vector<turn::Event>& events);

  Limits limits_;
  bool started_ = false;
  bool torn_ = false;
  std::vector<Block> blocks_;                      // In the order of their starts, which numbers parts.
  std::map<std::uint64_t, std::size_t> by_index_;  // The latest block of each index.
  std::size_t calls_ = 0;
  std::optional<std::string> stop_reason_;
  UsageReader usage_{"bedrock.converse", false};
};

}  // namespace splitproof::proxy::dialect
