#include "proxy/dialect/google_gemini/writer.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "proxy/dialect/google_gemini/errors.hpp"
#include "proxy/wire/json_text.hpp"
#include "proxy/wire/keep_alive.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using wire::quoted;

constexpr std::string_view kNoText = "{\"text\":\"\"}";

// Calls and stop texts have no reason of their own, and neither has a refusal.
std::string_view reason_of(const turn::FinishMessage& step) {
  switch (step.reason) {
    case turn::Finish::length:
      return "MAX_TOKENS";
    case turn::Finish::content_filter:
      return "SAFETY";
    case turn::Finish::stop:
      return step.refused ? "SAFETY" : "STOP";
    case turn::Finish::calls:
    case turn::Finish::unknown:  // the ledger has replaced it
      break;
  }
  return "STOP";
}

// Counts that the upstream has not sent are left out.
std::string usage_json(const turn::Usage& usage) {
  const std::uint64_t prompt = usage.prompt.value_or(0);
  const std::uint64_t output = usage.completion.value_or(0);
  const std::uint64_t thoughts = std::min(usage.reasoning.value_or(0), output);
  std::string json;
  const auto add = [&](std::string_view name, std::uint64_t count) {
    json.append(json.empty() ? "{" : ",").append(quoted(name)).append(":").append(std::to_string(count));
  };
  if (usage.prompt) add("promptTokenCount", prompt);
  if (usage.cached) add("cachedContentTokenCount", std::min(*usage.cached, prompt));
  if (usage.completion) add("candidatesTokenCount", output - thoughts);
  if (usage.reasoning) add("thoughtsTokenCount", thoughts);
  if (usage.prompt || usage.completion) add("totalTokenCount", prompt + output);
  return json.empty() ? "{}" : json + "}";
}

}  // namespace

void GeminiWriter::write(const turn::Step& step, std::string& out) {
  std::visit([&](const auto& taken) { put(taken, out); }, step);
}

void GeminiWriter::write_ping(std::string& out) const { out += reply_.array ? "\r\n" : wire::kKeepAlive; }

// The first frame needs a part.
void GeminiWriter::put(const turn::StartMessage& step, std::string&) { reply_.model = step.model; }

void GeminiWriter::put(const turn::OpenBlock& step, std::string&) {
  if (step.kind != BlockKind::call) return;
  const request::Alias* alias = reply_.aliases.find(step.name);
  const std::string id = call_ids_.give(step.id, "call_" + wire::hex(reply_.seed) + "_", step.index);
  call_ = Call{"{\"functionCall\":{\"id\":" + quoted(id) +
                   ",\"name\":" + quoted(alias == nullptr ? step.name : alias->own) + ",\"args\":",
               {},
               {}};
}

void GeminiWriter::put(const turn::AppendBlock& step, std::string& out) {
  if (step.kind == BlockKind::call) {
    call_->arguments += step.text;
    call_->progress.feed(step.text);
    if (call_->progress.complete()) send_call(out);
    return;
  }
  std::string part = "{\"text\":";
  wire::append_quoted(part, step.text);
  part += step.kind == BlockKind::thinking ? ",\"thought\":true}" : "}";
  put_part(part, "", "", out);
}

// The ledger makes neither: clients of this protocol get no signatures.
void GeminiWriter::put(const turn::SignBlock&, std::string&) {}
void GeminiWriter::put(const turn::SealedBlock&, std::string&) {}

void GeminiWriter::put(const turn::CloseBlock& step, std::string& out) {
  if (call_ && step.how == turn::Closing::whole) send_call(out);
  call_.reset();
}

void GeminiWriter::put(const turn::FinishMessage& step, std::string& out) {
  put_part(kNoText, reason_of(step), usage_json(step.usage), out);
}

void GeminiWriter::put(const turn::FailMessage& step, std::string& out) {
  put_frame(gemini_error_json(step.kind, step.message), true, out);
}

// Sends the open call, once. Line ends between its tokens would cut an event.
void GeminiWriter::send_call(std::string& out) {
  if (call_->sent) return;
  call_->sent = true;
  std::string part = std::move(call_->head);
  wire::append_compact(part, call_->arguments.empty() ? "{}" : call_->arguments);
  put_part(part.append("}}"), "", "", out);
}

// `reason` and `usage` are empty except in the last frame.
void GeminiWriter::put_part(std::string_view part, std::string_view reason, std::string_view usage,
                            std::string& out) {
  std::string json = R"({"candidates":[{"content":{"parts":[)";
  json.append(part).append(R"(],"role":"model"})");
  if (!reason.empty()) json.append(",\"finishReason\":").append(quoted(reason));
  json.append(",\"index\":0}]");
  if (!usage.empty()) json.append(",\"usageMetadata\":").append(usage);
  json.append(",\"modelVersion\":").append(quoted(reply_.model));
  json.append(",\"responseId\":").append(quoted(wire::hex(reply_.seed))).append("}");
  put_frame(json, !reason.empty(), out);
}

void GeminiWriter::put_frame(std::string_view json, bool last, std::string& out) {
  if (reply_.array) {
    out.append(begun_ ? ",\r\n" : "[").append(json).append(last ? "]" : "");
  } else {
    out.append("data: ").append(json).append("\r\n\r\n");
  }
  begun_ = true;
}

}  // namespace splitproof::proxy::dialect
