#include "harness/dialect/openai_chat/unread.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using MemberNames = std::span<const std::string_view>;

// Read by ChatReading.
constexpr auto kChunk =
    std::to_array<std::string_view>({"id", "object", "created", "model", "choices", "usage", "error"});
constexpr auto kChoice =
    std::to_array<std::string_view>({"index", "delta", "finish_reason", "usage", "error"});
constexpr auto kDelta = std::to_array<std::string_view>({"role", "content", "refusal", "tool_calls",
                                                         "function_call", "reasoning_content", "reasoning",
                                                         "reasoning_details", "thinking_blocks"});
constexpr auto kCall = std::to_array<std::string_view>({"index", "id", "type", "function"});
constexpr auto kFunction = std::to_array<std::string_view>({"name", "arguments"});
constexpr auto kPart = std::to_array<std::string_view>({"type", "text", "thinking"});
constexpr auto kReasoning =
    std::to_array<std::string_view>({"type", "text", "summary", "thinking", "signature", "index"});

// Metadata, by the providers that were seen to send it: OpenAI and Azure, OpenRouter, Mistral, LiteLLM, Vercel, llama.cpp,
// watsonx, Hugging Face, Venice, Copilot, Groq, vLLM and SGLang, Bedrock, Together, Writer. `message` and `text` repeat
// what deltas say.
constexpr auto kAboutChunk = std::to_array<std::string_view>({"system_fingerprint",
                                                              "service_tier",
                                                              "obfuscation",
                                                              "prompt_filter_results",
                                                              "latency_checkpoint",
                                                              "provider",
                                                              "p",
                                                              "stream_options",
                                                              "generationId",
                                                              "timings",
                                                              "__verbose",
                                                              "model_id",
                                                              "model_version",
                                                              "created_at",
                                                              "system",
                                                              "time_info",
                                                              "sla_metrics",
                                                              "cost",
                                                              "copilot_usage",
                                                              "type",
                                                              "code",
                                                              "message",
                                                              "request_id",
                                                              "prompt_token_ids"});
constexpr auto kAboutChoice = std::to_array<std::string_view>(
    {"content_filter_results", "content_filter_offsets", "native_finish_reason", "obfuscation", "seed",
     "matched_stop", "stop_reason", "message", "text", "token_ids"});
constexpr auto kAboutDelta = std::to_array<std::string_view>({"name", "token_id", "channel", "graph_data"});
constexpr auto kAboutPart = std::to_array<std::string_view>({"closed"});
constexpr auto kAboutReasoning = std::to_array<std::string_view>({"format", "id"});

bool has(MemberNames keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool has_value(const observe::WireJson& value) {
  switch (value.kind) {
    case Kind::null:
      return false;
    case Kind::boolean:
      return value.raw == "true";
    case Kind::string:
      return !value.text.empty();
    case Kind::array:
    case Kind::object:
      return !value.children.empty();
    default:
      return true;
  }
}

void unread_of(std::string_view name, const observe::WireJson& object, MemberNames read, MemberNames metadata,
               const TakeUnread& take) {
  if (!object.is(Kind::object)) return;
  for (const observe::WireJson& member : object.children) {
    if (has_value(member) && !has(read, member.key) && !has(metadata, member.key)) take(name, member);
  }
}

void unread_of_each(std::string_view name, const observe::WireJson& list, MemberNames read,
                    MemberNames metadata, const TakeUnread& take) {
  if (!list.is(Kind::array)) return;
  for (const observe::WireJson& element : list.children) unread_of(name, element, read, metadata, take);
}

}  // namespace

void unread_of_chunk(const observe::WireJson& chunk, const TakeUnread& take) {
  unread_of("chunk", chunk, kChunk, kAboutChunk, [&](std::string_view name, const observe::WireJson& member) {
    if (!member.key.starts_with("x_")) take(name, member);  // a vendor's own, by its name
  });
}

void unread_of_choice(const observe::WireJson& choice, const TakeUnread& take) {
  const observe::WireJson& delta = choice.at("delta");
  unread_of("choice", choice, kChoice, kAboutChoice, take);
  unread_of("delta", delta, kDelta, kAboutDelta, take);
  unread_of_each("part", delta.at("content"), kPart, kAboutPart, take);
  for (const char* list : {"reasoning_details", "thinking_blocks"})
    unread_of_each("reasoning", delta.at(list), kReasoning, kAboutReasoning, take);
  const observe::WireJson& calls = delta.at("tool_calls");
  unread_of_each("call", calls, kCall, {}, take);
  if (!calls.is(Kind::array)) return;
  for (const observe::WireJson& call : calls.children)
    unread_of("function", call.at("function"), kFunction, {}, take);
}

}  // namespace splitproof::dialect
