#include "proxy/dialect/anthropic_messages/writer.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "proxy/dialect/anthropic_messages/call_id.hpp"
#include "proxy/dialect/anthropic_messages/errors.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using wire::hex;
using wire::quoted;

void append_event(std::string& out, std::string_view type, std::string_view rest) {
  out.append("event: ").append(type).append("\ndata: {\"type\":\"").append(type).append("\"").append(rest);
  out.append("}\n\n");
}

std::string indexed(std::size_t index) { return ",\"index\":" + std::to_string(index); }

std::string_view delta_head(BlockKind kind) {
  switch (kind) {
    case BlockKind::thinking:
      return "\"thinking_delta\",\"thinking\":";
    case BlockKind::call:
      return "\"input_json_delta\",\"partial_json\":";
    case BlockKind::text:
    case BlockKind::refusal:
      break;
  }
  return "\"text_delta\",\"text\":";
}

// Writes usage. Input tokens exclude the caches, so that the three counts add up to the upstream's prompt tokens.
// Absent counts are left out, except output_tokens: clients break without it, so it is 0.
std::string usage_json(const turn::Usage& usage) {
  std::string json = "{";
  if (usage.prompt) {
    const std::uint64_t cached = std::min(usage.cached.value_or(0), *usage.prompt);
    const std::uint64_t written = std::min(usage.written.value_or(0), *usage.prompt - cached);
    json += "\"input_tokens\":" + std::to_string(*usage.prompt - cached - written) + ",";
    if (usage.cached) json += "\"cache_read_input_tokens\":" + std::to_string(cached) + ",";
    if (usage.written) json += "\"cache_creation_input_tokens\":" + std::to_string(written) + ",";
  }
  return json + "\"output_tokens\":" + std::to_string(usage.completion.value_or(0)) + "}";
}

}  // namespace

void AnthropicWriter::write(const turn::Step& step, std::string& out) {
  std::visit([&](const auto& taken) { put(taken, out); }, step);
}

void AnthropicWriter::write_ping(std::string& out) const { append_event(out, "ping", ""); }

void AnthropicWriter::put(const turn::StartMessage& step, std::string& out) {
  append_event(out, "message_start",
               ",\"message\":{\"id\":\"msg_" + hex(reply_.seed) +
                   "\",\"type\":\"message\",\"role\":\"assistant\",\"model\":" + quoted(step.model) +
                   ",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
                   "\"usage\":{\"input_tokens\":0,\"output_tokens\":0}}");
}

void AnthropicWriter::put(const turn::OpenBlock& step, std::string& out) {
  std::string block = "{\"type\":\"text\",\"text\":\"\"}";
  if (step.kind == BlockKind::thinking)
    block = "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}";
  if (step.kind == BlockKind::call) {
    const request::Alias* alias = reply_.aliases.find(step.name);
    const std::string& name = alias == nullptr ? step.name : alias->own;
    block = "{\"type\":\"tool_use\",\"id\":" + quoted(call_id(step)) + ",\"name\":" + quoted(name) +
            ",\"input\":{}}";
  }
  append_event(out, "content_block_start", indexed(step.index) + ",\"content_block\":" + block);
}

void AnthropicWriter::put(const turn::AppendBlock& step, std::string& out) {
  std::string rest = indexed(step.index);
  rest.append(",\"delta\":{\"type\":").append(delta_head(step.kind));
  wire::append_quoted(rest, step.text);
  append_event(out, "content_block_delta", rest + "}");
}

void AnthropicWriter::put(const turn::SignBlock& step, std::string& out) {
  append_event(out, "content_block_delta",
               indexed(step.index) +
                   ",\"delta\":{\"type\":\"signature_delta\",\"signature\":" + quoted(step.signature) + "}");
}

void AnthropicWriter::put(const turn::SealedBlock& step, std::string& out) {
  append_event(out, "content_block_start",
               indexed(step.index) +
                   ",\"content_block\":{\"type\":\"redacted_thinking\",\"data\":" + quoted(step.data) + "}");
  append_event(out, "content_block_stop", indexed(step.index));
}

void AnthropicWriter::put(const turn::CloseBlock& step, std::string& out) {
  append_event(out, "content_block_stop", indexed(step.index));
}

void AnthropicWriter::put(const turn::FinishMessage& step, std::string& out) {
  std::string_view reason = "end_turn";
  switch (step.reason) {
    case turn::Finish::stop:
      reason = step.refused ? "refusal" : step.stop_sequence.empty() ? "end_turn" : "stop_sequence";
      break;
    case turn::Finish::length:
      reason = "max_tokens";
      break;
    case turn::Finish::calls:
      reason = "tool_use";
      break;
    case turn::Finish::content_filter:
      // A message with a call cannot end with end_turn.
      reason = content_filter_ == ContentFilter::refusal || step.called ? "refusal" : "end_turn";
      break;
    case turn::Finish::unknown:  // the ledger has replaced it
      break;
  }
  append_event(out, "message_delta",
               ",\"delta\":{\"stop_reason\":\"" + std::string(reason) + "\",\"stop_sequence\":" +
                   (step.stop_sequence.empty() ? "null" : quoted(step.stop_sequence)) +
                   "},\"usage\":" + usage_json(step.usage));
  append_event(out, "message_stop", "");
}

void AnthropicWriter::put(const turn::FailMessage& step, std::string& out) {
  out.append("event: error\ndata: ").append(messages_error_json(step.kind, step.message)).append("\n\n");
}

std::string AnthropicWriter::call_id(const turn::OpenBlock& step) {
  return call_ids_.give(step.id.empty() ? step.id : messages_call_id(step.id),
                        "toolu_" + wire::hex(reply_.seed) + "_", step.index);
}

}  // namespace splitproof::proxy::dialect
