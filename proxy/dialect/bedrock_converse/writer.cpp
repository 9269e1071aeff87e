#include "proxy/dialect/bedrock_converse/writer.hpp"

#include <algorithm>
#include <variant>

#include "proxy/dialect/bedrock_converse/call_id.hpp"
#include "proxy/dialect/bedrock_converse/errors.hpp"
#include "proxy/wire/base64.hpp"
#include "proxy/wire/event_stream_frame.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using wire::quoted;

void append_converse_event(std::string& out, std::string_view type, std::string_view payload) {
  wire::append_event_frame(
      out, {{":event-type", type}, {":content-type", "application/json"}, {":message-type", "event"}},
      payload);
}

std::string of_block(std::size_t index) { return "{\"contentBlockIndex\":" + std::to_string(index); }

void append_delta(std::string& out, std::size_t index, std::string_view delta) {
  append_converse_event(out, "contentBlockDelta", of_block(index).append(",\"delta\":").append(delta) + "}");
}

std::string_view stop_reason_of(const turn::FinishMessage& step) {
  switch (step.reason) {
    case turn::Finish::stop:
      if (step.refused) return "content_filtered";
      return step.stop_sequence.empty() ? "end_turn" : "stop_sequence";
    case turn::Finish::length:
      return "max_tokens";
    case turn::Finish::calls:
      return "tool_use";
    case turn::Finish::content_filter:
      return "content_filtered";
    case turn::Finish::unknown:  // the ledger has replaced it
      break;
  }
  return "end_turn";
}

// Writes usage. `inputTokens` excludes the caches, and the total includes them. Counts that the upstream has not sent are
// left out.
std::string converse_usage(const turn::Usage& usage) {
  const std::uint64_t prompt = usage.prompt.value_or(0);
  const std::uint64_t cached = std::min(usage.cached.value_or(0), prompt);
  const std::uint64_t written = std::min(usage.written.value_or(0), prompt - cached);
  std::string json;
  const auto add = [&](std::string_view name, std::uint64_t count) {
    json.append(json.empty() ? "{" : ",").append(quoted(name)).append(":").append(std::to_string(count));
  };
  if (usage.prompt) add("inputTokens", prompt - cached - written);
  if (usage.completion) add("outputTokens", *usage.completion);
  if (usage.prompt && usage.completion) add("totalTokens", prompt + *usage.completion);
  if (usage.prompt && usage.cached) add("cacheReadInputTokens", cached);
  if (usage.prompt && usage.written) add("cacheWriteInputTokens", written);
  return json.empty() ? json : json + "}";
}

}  // namespace

void ConverseWriter::write(const turn::Step& step, std::string& out) {
  std::visit([&](const auto& taken) { put(taken, out); }, step);
}

void ConverseWriter::put(const turn::StartMessage& /*step*/, std::string& out) {
  append_converse_event(out, "messageStart", R"({"role":"assistant"})");
}

void ConverseWriter::put(const turn::OpenBlock& step, std::string& out) {
  if (step.kind != BlockKind::call) return;
  const request::Alias* alias = reply_.aliases.find(step.name);
  const std::string& name = alias == nullptr ? step.name : alias->own;
  append_converse_event(out, "contentBlockStart",
                        of_block(step.index) + R"(,"start":{"toolUse":{"name":)" + quoted(name) +
                            ",\"toolUseId\":" + quoted(call_id(step)) + "}}}");
}

void ConverseWriter::put(const turn::AppendBlock& step, std::string& out) {
  const bool is_text = step.kind != BlockKind::thinking && step.kind != BlockKind::call;
  std::string delta = is_text                            ? R"({"text":)"
                      : step.kind == BlockKind::thinking ? R"({"reasoningContent":{"text":)"
                                                         : R"({"toolUse":{"input":)";
  wire::append_quoted(delta, step.text);
  append_delta(out, step.index, delta + (is_text ? "}" : "}}"));
}

void ConverseWriter::put(const turn::SignBlock& step, std::string& out) {
  append_delta(out, step.index, R"({"reasoningContent":{"signature":)" + quoted(step.signature) + "}}");
}

// The member is base64. Most sealed data is, too.
void ConverseWriter::put(const turn::SealedBlock& step, std::string& out) {
  const std::string data = wire::from_base64(step.data) ? step.data : wire::to_base64(step.data);
  append_delta(out, step.index, R"({"reasoningContent":{"redactedContent":)" + quoted(data) + "}}");
  append_converse_event(out, "contentBlockStop", of_block(step.index) + "}");
}

void ConverseWriter::put(const turn::CloseBlock& step, std::string& out) {
  append_converse_event(out, "contentBlockStop", of_block(step.index) + "}");
}

void ConverseWriter::put(const turn::FinishMessage& step, std::string& out) {
  append_converse_event(out, "messageStop", "{\"stopReason\":" + quoted(stop_reason_of(step)) + "}");
  const std::string usage = converse_usage(step.usage);
  if (usage.empty()) return;
  const std::uint64_t seconds = now_ - std::min(now_, reply_.created);
  append_converse_event(
      out, "metadata",
      "{\"metrics\":{\"latencyMs\":" + std::to_string(seconds * 1000) + "},\"usage\":" + usage + "}");
}

void ConverseWriter::put(const turn::FailMessage& step, std::string& out) {
  append_converse_exception(step.kind, step.message, out);
}

std::string ConverseWriter::call_id(const turn::OpenBlock& step) {
  return call_ids_.give(step.id.empty() ? step.id : converse_call_id(step.id),
                        "tooluse_" + wire::hex(reply_.seed) + "_", step.index);
}

}  // namespace splitproof::proxy::dialect
