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

/// Reads an Anthropic Messages stream into the canonical turn. The `type` in the data says what an event is, whatever its
/// name, but for `error`. Only `message_stop` ends a message: until then a stop_reason can be taken back, and counts
/// can change, so both are said there.
///
/// Text and thinking are parts, each block one of its own; `tool_use` is a call. What stands in the start of a block comes
/// before its deltas; the `input` of a call counts where no delta says any arguments. All other blocks, signatures and
/// citations belong to the provider and say nothing here.
///
/// A block is known by its index, and one that starts again is another. Deltas of another kind than their block, or for
/// none, say nothing, as in Anthropic's SDK; so do events, blocks and deltas of unknown types, and pings. An event that is
/// no JSON object is a failure, but for `[DONE]`, or where the body ended inside it. A bare body is the error that it
/// reports.
class AnthropicReader {
 public:
  explicit AnthropicReader(Limits limits) : limits_(limits) {}

  /// Reads one frame and appends what it says.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// The body is over: appends what waited to be said otherwise.
  void finish(turn::BodyEnd /*end*/, std::vector<turn::Event>& events) { settle_last(false, events); }

  bool operator==(const AnthropicReader&) const = default;

 private:
  enum class BlockType : std::uint8_t { text, thinking, call, other };

  struct Block {
    BlockType type = BlockType::other;
    std::size_t call = 0;    // of a call: its number
    std::uint64_t rank = 0;  // likewise: the index
    bool named = false;      // likewise
    std::string input =
        {};               // likewise: what its start gives, until that is said or a delta says something else
    bool argued = false;  // likewise: its arguments have begun
    bool stopped = false;

    bool operator==(const Block&) const = default;
  };

  void read_event(const wire::Json& event, const std::string& type, std::vector<turn::Event>& events);
  void start_message(const wire::Json& message, std::vector<turn::Event>& events);
  bool start_block(std::optional<std::uint64_t> index, const wire::Json& start,
                   std::vector<turn::Event>& events);
  void start_call(Block& block, const wire::Json& start, std::vector<turn::Event>& events);
  void read_delta(std::size_t number, const wire::Json& delta, std::vector<turn::Event>& events);
  void stop_block(std::size_t number, std::vector<turn::Event>& events);
  void settle_last(bool went_on, std::vector<turn::Event>& events);
  void take_reason(const wire::Json& reason);
  void end(std::vector<turn::Event>& events);

  Limits limits_;
  bool started_ = false;
  std::string id_;                                 // of the message
  std::vector<Block> blocks_;                      // in the order of their starts, which numbers parts
  std::map<std::uint64_t, std::size_t> by_index_;  // the latest of each index
  std::size_t calls_ = 0;
  std::optional<std::string> stop_reason_;
  UsageReader usage_{"anthropic.messages", false};
};

}  // namespace splitproof::proxy::dialect
