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

/// Reads an Anthropic Messages stream into the canonical turn.
///
/// - The `type` in the data is the type of an event, whatever the event's name is. The exception is the name `error`.
/// - Only `message_stop` ends a message. Until then the stop_reason and the counts can change, so both are sent at the
///   end.
/// - Each block of text or thinking is a part. A `tool_use` block is a call. A signature ends its block of thinking.
///   Other blocks and citations mean something to the provider only, and are left out.
/// - Content in the start of a block comes before its deltas. The `input` of a call counts if no delta has arguments.
/// - A block is known by its index. If an index starts again, it is another block.
/// - A delta of another kind than its block is left out, as in Anthropic's SDK. So are blocks and deltas of unknown
///   types. An answer that holds no more than these is a failure.
/// - A delta for a block that never started is a failure if it has content.
/// - Pings and events of unknown types are left out.
/// - An event that is no JSON object is a failure, except `[DONE]`, and an event inside which the body ended.
/// - A bare body is read for its error only.
class AnthropicReader {
 public:
  explicit AnthropicReader(Limits limits) : limits_(limits) {}

  /// Reads one frame and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// Takes the end of the body and appends what waits.
  void finish(turn::BodyEnd /*end*/, std::vector<turn::Event>& events) { settle_last(false, events); }

  bool operator==(const AnthropicReader&) const = default;

 private:
  enum class BlockType : std::uint8_t { text, thinking, call, other };

  struct Block {
    BlockType type = BlockType::other;
    std::size_t call = 0;    // Number of the call, if it is one.
    std::uint64_t rank = 0;  // Index of a call.
    bool named = false;      // A call has a name.
    std::string input =
        {};               // Arguments in the start of a call, until they are sent or a delta replaces them.
    bool argued = false;  // Arguments of a call were sent.
    bool stopped = false;
    std::string signature = {};  // Signature of thinking, until it is sent.

    bool operator==(const Block&) const = default;
  };

  void read_event(const wire::Json& event, const std::string& type, std::vector<turn::Event>& events);
  void start_message(const wire::Json& message, std::vector<turn::Event>& events);
  bool start_block(std::optional<std::uint64_t> index, const wire::Json& start,
                   std::vector<turn::Event>& events);
  void start_call(Block& block, const wire::Json& start, std::vector<turn::Event>& events);
  void read_delta(std::size_t number, const wire::Json& delta, std::vector<turn::Event>& events);
  void read_stray(const wire::Json& delta, std::vector<turn::Event>& events);
  void stop_block(std::size_t number, std::vector<turn::Event>& events);
  void settle_last(bool went_on, std::vector<turn::Event>& events);
  static void send_signature(Block& block, std::vector<turn::Event>& events);
  void take_reason(const wire::Json& reason);
  void end(std::vector<turn::Event>& events);

  Limits limits_;
  bool started_ = false;
  std::string id_;                                 // Id of the message.
  std::vector<Block> blocks_;                      // In the order of their starts, which numbers parts.
  std::map<std::uint64_t, std::size_t> by_index_;  // The latest block of each index.
  std::size_t calls_ = 0;
  std::optional<std::string> stop_reason_;
  UsageReader usage_{"anthropic.messages", false};
};

}  // namespace splitproof::proxy::dialect
