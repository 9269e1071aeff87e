#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::dialect {

enum class BlockKind : std::uint8_t { text, thinking, tool_use, other };

/// One content block, its deltas joined.
struct MessageBlock {
  std::string type;  ///< as on the wire: "text", "server_tool_use", ...
  std::string text;  ///< of a text or thinking block; of any other kind, the block as it was started, as JSON
  std::string id;    ///< where the block has one
  std::string name;  ///< where the block has one
  std::string arguments;  ///< joined `input_json_delta`s, raw; where none said anything, the start's `input`
                          ///< if not {}
  std::string signature;  ///< of a thinking block: the last one sent
  std::vector<std::string> citations;  ///< of a text block, as JSON
  bool stopped = false;                ///< its `content_block_stop` was seen

  BlockKind kind() const;  ///< what `type` says
  bool operator==(const MessageBlock&) const = default;
};

/// Token counts as last reported; none where never.
struct MessageUsage {
  std::optional<std::int64_t> input;          ///< `input_tokens`
  std::optional<std::int64_t> output;         ///< `output_tokens`
  std::optional<std::int64_t> cache_read;     ///< `cache_read_input_tokens`
  std::optional<std::int64_t> thinking{};     ///< `output_tokens_details.thinking_tokens`
  std::optional<std::int64_t> cache_write{};  ///< `cache_creation_input_tokens`

  bool operator==(const MessageUsage&) const = default;
};

/// An `error` event.
struct MessageError {
  std::string type;
  std::string message;

  bool operator==(const MessageError&) const = default;
};

/// What a stream of Anthropic Messages events means, whatever the events it was dealt out in.
struct AnthropicMessage {
  std::string model;
  std::vector<MessageBlock> blocks;  ///< in the order of their starts
  std::optional<std::string> stop_reason;
  std::optional<std::string> stop_sequence;
  MessageUsage usage;
  std::optional<MessageError> error;  ///< the first
  bool stopped = false;               ///< `message_stop` was seen
  std::size_t refused = 0;            ///< events that a strict client would have failed on

  bool operator==(const AnthropicMessage&) const = default;
};

/// Assembles a trace as the Messages API documents ("Streaming messages"): blocks by index, deltas in order,
/// usage cumulative. `ping`, unknown events and unknown deltas mean nothing.
///
/// Any trace is assembled. What a strict client would fail on is counted in `refused`, and placed where that
/// is possible, so that two disorderly streams still differ where their content does: anything before
/// `message_start`, a second `message_start`, a second start of an index (a new block), a delta or stop for a
/// block that has stopped, a delta of another kind than its block. Counted and left out: a faulty event, one
/// whose type or needed fields are missing, a delta or stop for an index that never started, whatever follows
/// `message_stop`. An unterminated tail never reaches a client: it means nothing and is not counted.
AnthropicMessage assemble_anthropic_message(observe::EventStream& stream);
AnthropicMessage assemble_anthropic_message(const observe::Trace& trace);

/// What a stop_reason means; the word is kept.
observe::FinishReason finish_reason(const std::string& stop_reason);

/// The message as answers of any dialect are told. Its counts are the API's own: `prompt` leaves out what was read from a
/// cache.
observe::Answer answer_of(const AnthropicMessage& message);

}  // namespace splitproof::dialect
