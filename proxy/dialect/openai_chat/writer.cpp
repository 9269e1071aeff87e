#include "proxy/dialect/openai_chat/writer.hpp"

#include <algorithm>
#include <variant>

#include "proxy/dialect/openai_error.hpp"
#include "proxy/wire/json_text.hpp"
#include "proxy/wire/keep_alive.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using wire::quoted;

std::string_view member_of(BlockKind kind) {
  switch (kind) {
    case BlockKind::thinking:
      return "\"reasoning_content\":";
    case BlockKind::refusal:
      return "\"refusal\":";
    default:
      return "\"content\":";
  }
}

std::string_view reason_of(turn::Finish reason) {
  switch (reason) {
    case turn::Finish::length:
      return "\"length\"";
    case turn::Finish::calls:
      return "\"tool_calls\"";
    case turn::Finish::content_filter:
      return "\"content_filter\"";
    case turn::Finish::stop:
    case turn::Finish::unknown:  // the ledger has replaced it
      break;
  }
  return "\"stop\"";
}

std::string usage_json(const turn::Usage& usage) {
  const std::uint64_t prompt = usage.prompt.value_or(0);
  const std::uint64_t completion = usage.completion.value_or(0);
  std::string json = "{\"prompt_tokens\":" + std::to_string(prompt) +
                     ",\"completion_tokens\":" + std::to_string(completion) +
                     ",\"total_tokens\":" + std::to_string(prompt + completion);
  if (usage.cached || usage.written.value_or(0) > 0) {
    const std::uint64_t cached = std::min(usage.cached.value_or(0), prompt);
    json += ",\"prompt_tokens_details\":{\"cached_tokens\":" + std::to_string(cached);
    if (usage.written.value_or(0) > 0)
      json += ",\"cache_write_tokens\":" + std::to_string(std::min(*usage.written, prompt - cached));
    json += "}";
  }
  if (usage.reasoning) {
    json += ",\"completion_tokens_details\":{\"reasoning_tokens\":" +
            std::to_string(std::min(*usage.reasoning, completion)) + "}";
  }
  return json + "}";
}

}  // namespace

void ChatWriter::write(const turn::Step& step, std::string& out) {
  std::visit([&](const auto& taken) { put(taken, out); }, step);
}

void ChatWriter::write_ping(std::string& out) const { out += wire::kKeepAlive; }

void ChatWriter::put(const turn::StartMessage& step, std::string& out) {
  reply_.model = step.model;
  put_choice("\"role\":\"assistant\"", "null", out);
}

void ChatWriter::put(const turn::OpenBlock& step, std::string& out) {
  if (step.kind != BlockKind::call) return;
  const request::Alias* alias = reply_.aliases.find(step.name);
  Call& call = calls_[step.index];
  call.number = calls_.size() - 1;
  call.custom = alias != nullptr && alias->custom;
  const std::string_view type = call.custom ? "custom" : "function";
  put_call(call,
           "\"id\":" + quoted(call_id(step)) + ",\"type\":" + quoted(type) + "," + quoted(type) +
               ":{\"name\":" + quoted(alias == nullptr ? step.name : alias->own) +
               (call.custom ? ",\"input\":\"\"}" : ",\"arguments\":\"\"}"),
           out);
}

void ChatWriter::put(const turn::AppendBlock& step, std::string& out) {
  if (step.kind != BlockKind::call)
    return put_choice(std::string(member_of(step.kind)) + quoted(step.text), "null", out);
  Call& call = calls_[step.index];
  if (!call.custom) return say_arguments(call, step.text, out);
  std::string text;
  call.input.feed(step.text, text);
  say_arguments(call, text, out);
}

void ChatWriter::put(const turn::SignBlock&, std::string&) {}

// The ledger makes none: clients of this protocol get no sealed thinking.
void ChatWriter::put(const turn::SealedBlock&, std::string&) {}

void ChatWriter::put(const turn::CloseBlock& step, std::string& out) {
  const auto found = calls_.find(step.index);
  if (found == calls_.end()) return;
  Call& call = found->second;
  std::string text;
  if (call.custom) {
    call.input.finish(text);
  } else if (!call.said && step.how == turn::Closing::whole) {
    text = "{}";
  }
  say_arguments(call, text, out);
}

void ChatWriter::put(const turn::FinishMessage& step, std::string& out) {
  put_choice("", reason_of(step.reason), out);
  if (reply_.usage && (step.usage.prompt || step.usage.completion))
    put_chunk("[],\"usage\":" + usage_json(step.usage), out);
  out += "data: [DONE]\n\n";
}

void ChatWriter::put(const turn::FailMessage& step, std::string& out) {
  out.append("data: ")
      .append(openai_error_json(step.kind, step.message, openai_error_code(step.kind, step.code)))
      .append("\n\n");
}

void ChatWriter::say_arguments(Call& call, std::string_view text, std::string& out) {
  if (text.empty()) return;
  call.said = true;
  put_call(call,
           (call.custom ? "\"custom\":{\"input\":" : "\"function\":{\"arguments\":") + quoted(text) + "}",
           out);
}

void ChatWriter::put_call(const Call& call, std::string_view rest, std::string& out) {
  std::string delta = "\"tool_calls\":[{\"index\":" + std::to_string(call.number) + ",";
  put_choice(delta.append(rest).append("}]"), "null", out);
}

void ChatWriter::put_choice(std::string_view delta, std::string_view finish, std::string& out) {
  std::string choices = "[{\"index\":0,\"delta\":{";
  put_chunk(choices.append(delta).append("},\"finish_reason\":").append(finish).append("}]"), out);
}

void ChatWriter::put_chunk(std::string_view rest, std::string& out) {
  out.append("data: {\"id\":\"chatcmpl-").append(wire::hex(reply_.seed));
  out.append("\",\"object\":\"chat.completion.chunk\",\"created\":").append(std::to_string(reply_.created));
  out.append(",\"model\":");
  wire::append_quoted(out, reply_.model);
  out.append(",\"choices\":").append(rest).append("}\n\n");
}

std::string ChatWriter::call_id(const turn::OpenBlock& step) {
  return call_ids_.give(step.id, "call_" + wire::hex(reply_.seed) + "_", step.index);
}

}  // namespace splitproof::proxy::dialect
