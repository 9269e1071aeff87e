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
  std::string type;  ///< As on the wire: "text", "server_tool_use", ...
  std::string text;  ///< Content of a text or thinking block; for any other kind, the block's start as JSON.
  std::string id;    ///< Empty without one.
  std::string name;  ///< Empty without one.
  std::string arguments;  ///< Joined `input_json_delta`s, raw; without any, the start's `input` if not {}.
  std::string signature;  ///< Thinking blocks only: the last one.
  std::vector<std::string> citations;  ///< Text blocks only, as JSON.
  bool stopped = false;                ///< Its `content_block_stop` came.

  BlockKind kind() const;  ///< The kind of `type`.
  bool operator==(const MessageBlock&) const = default;
};

/// Token counts as last reported; nullopt if never.
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

/// The meaning of a stream of Anthropic Messages, independent of its division into events.
struct AnthropicMessage {
  std::string model;
  std::vector<MessageBlock> blocks;  ///< In the order of their starts.
  std::optional<std::string> stop_reason;
  std::optional<std::string> stop_sequence;
  MessageUsage usage;
  std::optional<MessageError> error;  ///< The first.
  bool stopped = false;               ///< `message_stop` came.
  std::size_t refused = 0;            ///< Number of events on which a strict client would fail.

  bool operator==(const AnthropicMessage&) const = default;
};

/// Assembles a trace as the Messages API documents ("Streaming messages"): blocks by index, deltas in order,
/// usage cumulative. Ignores `ping`, unknown events and unknown deltas.
///
/// Assembles any trace. `refused` counts the events on which a strict client would fail. If possible, they
/// are still placed, so that disorderly streams differ if their content does:
/// - anything before `message_start`, and a second `message_start`
/// - a second start of an index (a new block)
/// - a delta or stop for a block that has stopped
/// - a delta of another kind than its block
///
/// Other such events are omitted:
/// - a faulty event, or one without its type or a required field
/// - a delta or stop for an index that never started
/// - events after `message_stop`
///
/// An unterminated tail never reaches a client, so it is ignored and not counted.
AnthropicMessage assemble_anthropic_message(observe::EventStream& stream);
AnthropicMessage assemble_anthropic_message(const observe::Trace& trace);

/// Returns the meaning of a stop_reason, with the word.
observe::FinishReason finish_reason(const std::string& stop_reason);

/// Returns the message in the form of all dialects, with the API's own counts: `prompt` excludes tokens that
/// were read from a cache.
observe::Answer answer_of(const AnthropicMessage& message);

}  // namespace splitproof::dialect
