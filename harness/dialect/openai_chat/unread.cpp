#include "harness/dialect/openai_chat/unread.hpp"

#include <algorithm>
#include <array>

#include "harness/dialect/openai_chat/content_parts.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::MemberNames;

// Members that ChatReading reads.
constexpr auto kChunk =
    std::to_array<std::string_view>({"id", "object", "created", "model", "choices", "usage", "error"});
constexpr auto kChoice =
    std::to_array<std::string_view>({"index", "delta", "finish_reason", "usage", "error"});
constexpr auto kDelta = std::to_array<std::string_view>({"role", "content", "refusal", "tool_calls",
                                                         "function_call", "reasoning_content", "reasoning",
                                                         "reasoning_details", "thinking_blocks"});
constexpr auto kCall = std::to_array<std::string_view>({"index", "id", "type", "function"});
constexpr auto kFunction = std::to_array<std::string_view>({"name", "arguments"});
constexpr auto kReasoning =
    std::to_array<std::string_view>({"type", "text", "summary", "thinking", "signature"});

/// A known member that is not read, because no client acts on it.
struct Metadata {
  std::string_view object;  ///< that has it
  std::string_view member;
  std::string_view provider;  ///< who sends it
  std::string_view meaning;
};

constexpr std::string_view kServed = "the setup of the server that answered";
constexpr std::string_view kRequested = "repeats what the request asked for";
constexpr std::string_view kTimed = "the time that the answer took";
constexpr std::string_view kCost = "the cost of the answer";
constexpr std::string_view kFiltered = "the result of a filter; `finish_reason` has the consequence";
constexpr std::string_view kStopped = "the reason of the end, in the words of the provider after a gateway";
constexpr std::string_view kRepeats = "repeats deltas or `finish_reason`";
constexpr std::string_view kTokens = "the text again, as numbers of tokens";
constexpr std::string_view kLabel = "a label of the server";
constexpr std::string_view kPadding = "hides the length of the chunk";
constexpr std::string_view kRead = "a part of an error, which is read";
constexpr std::string_view kCopilot = "data that an editor shows next to the answer";

/// All metadata of Chat Completions. Each member has a row: a prefix proves nothing.
constexpr auto kMetadata = std::to_array<Metadata>({
    {"chunk", "system_fingerprint", "OpenAI", kServed},
    {"chunk", "service_tier", "OpenAI", kServed},
    {"chunk", "obfuscation", "OpenAI", kPadding},
    {"choice", "obfuscation", "OpenAI", kPadding},
    {"choice", "seed", "Together AI", kRequested},
    {"choice", "text", "Together AI", kRepeats},
    {"delta", "token_id", "Together AI", kTokens},
    {"chunk", "provider", "OpenRouter", kServed},
    {"choice", "native_finish_reason", "OpenRouter", kStopped},
    {"choice", "message", "OpenRouter and others", kRepeats},
    {"chunk", "model_id", "gateways", kServed},
    {"chunk", "model_version", "gateways", kServed},
    {"chunk", "stream_options", "LiteLLM", kRequested},
    {"chunk", "created_at", "gateways", kTimed},
    {"chunk", "cost", "gateways", kCost},
    {"chunk", "generationId", "Vercel", kLabel},
    {"chunk", "request_id", "Z.AI", kLabel},
    {"chunk", "type", "gateways", kLabel},
    {"chunk", "code", "Z.AI", kRead},
    {"chunk", "message", "Z.AI", kRead},
    {"delta", "index", "gateways", "the number of its choice"},
    {"delta", "name", "MiniMax", kLabel},
    {"delta", "channel", "servers of gpt-oss", kLabel},
    {"delta", "graph_data", "gateways", kLabel},
    // Azure
    {"chunk", "prompt_filter_results", "Azure", kFiltered},
    {"chunk", "prompt_annotations", "Azure", kFiltered},
    {"choice", "content_filter_results", "Azure", kFiltered},
    {"choice", "content_filter_result", "Azure", kFiltered},
    {"choice", "content_filter_offsets", "Azure", kFiltered},
    // GitHub Copilot
    {"chunk", "copilot_usage", "GitHub Copilot", kCost},
    {"chunk", "copilot_references", "GitHub Copilot", kCopilot},
    {"chunk", "copilot_errors", "GitHub Copilot", kCopilot},
    {"chunk", "copilot_confirmation", "GitHub Copilot", kCopilot},
    {"chunk", "copilot_annotations", "GitHub Copilot", kCopilot},
    {"delta", "copilot_references", "GitHub Copilot", kCopilot},
    {"delta", "copilot_errors", "GitHub Copilot", kCopilot},
    {"delta", "copilot_confirmation", "GitHub Copilot", kCopilot},
    {"delta", "copilot_annotations", "GitHub Copilot", kCopilot},
    // Groq and Cerebras
    {"chunk", "x_groq", "Groq", kCost},
    {"chunk", "time_info", "Cerebras", kTimed},
    // Fireworks
    {"chunk", "perf_metrics", "Fireworks", kTimed},
    {"choice", "raw_output", "Fireworks", kTokens},
    // MiniMax: `base_resp` with another status than 0 is an error, which is read
    {"chunk", "base_resp", "MiniMax", kRead},
    {"chunk", "input_sensitive", "MiniMax", kFiltered},
    {"chunk", "input_sensitive_type", "MiniMax", kFiltered},
    {"chunk", "output_sensitive", "MiniMax", kFiltered},
    {"chunk", "output_sensitive_type", "MiniMax", kFiltered},
    // Servers of open weights
    {"chunk", "prompt_token_ids", "vLLM", kTokens},
    {"chunk", "prompt_logprobs", "vLLM", "scores of the request's tokens"},
    {"chunk", "kv_transfer_params", "vLLM", kServed},
    {"choice", "stop_reason", "vLLM", kStopped},
    {"choice", "token_ids", "vLLM", kTokens},
    {"choice", "matched_stop", "SGLang", kStopped},
    {"choice", "hidden_states", "SGLang", kTokens},
    {"delta", "hidden_states", "SGLang", kTokens},
    {"chunk", "metadata", "SGLang", kServed},
    {"chunk", "nvext", "NVIDIA Dynamo", kServed},
    {"chunk", "timings", "llama.cpp", kTimed},
    {"chunk", "__verbose", "llama.cpp", kServed},
    {"chunk", "system", "gateways", kServed},
    {"chunk", "p", "gateways", kPadding},
    {"chunk", "latency_checkpoint", "gateways", kTimed},
    {"chunk", "sla_metrics", "gateways", kTimed},
});

void unread_of(std::string_view name, const observe::WireJson& object, MemberNames read,
               const TakeUnread& take) {
  const std::string_view listed_as = name == "message" ? "delta" : name;
  observe::for_each_unread(object, read, [&](const observe::WireJson& member) {
    const auto is_it = [&](const Metadata& one) {
      return one.object == listed_as && one.member == member.key;
    };
    if (std::none_of(kMetadata.begin(), kMetadata.end(), is_it)) take(name, member);
  });
}

void unread_of_each(std::string_view name, const observe::WireJson& list, MemberNames read,
                    const TakeUnread& take) {
  if (!list.is(Kind::array)) return;
  for (const observe::WireJson& element : list.children) unread_of(name, element, read, take);
}

/// A member that is read in some JSON types only.
struct Typed {
  std::string_view member;
  Kind type;
  Kind other;
};

constexpr auto kTyped = std::to_array<Typed>({{"content", Kind::string, Kind::array},
                                              {"refusal", Kind::string, Kind::string},
                                              {"reasoning_content", Kind::string, Kind::string},
                                              {"reasoning", Kind::string, Kind::string},
                                              {"reasoning_details", Kind::array, Kind::array},
                                              {"thinking_blocks", Kind::array, Kind::array},
                                              {"tool_calls", Kind::array, Kind::array},
                                              {"function_call", Kind::object, Kind::object}});

/// Takes members of a delta that have a value of a type that nobody reads.
void unread_of_types(std::string_view name, const observe::WireJson& delta, const TakeUnread& take) {
  for (const Typed& typed : kTyped) {
    const observe::WireJson& member = delta.at(typed.member);
    if (member.absent() || !observe::has_value(member)) continue;
    if (!member.is(typed.type) && !member.is(typed.other)) take(name, member);
  }
}

void unread_of_delta(std::string_view name, const observe::WireJson& delta, const TakeUnread& take) {
  unread_of(name, delta, kDelta, take);
  unread_of_types(name, delta, take);
  unread_of("function", delta.at("function_call"), kFunction, take);
  const observe::WireJson& parts = delta.at("content");
  if (parts.is(Kind::array))
    for (const observe::WireJson& part : parts.children) unread_of_content_part(part, take);
  for (const char* list : {"reasoning_details", "thinking_blocks"})
    unread_of_each("reasoning", delta.at(list), kReasoning, take);
  const observe::WireJson& calls = delta.at("tool_calls");
  unread_of_each("call", calls, kCall, take);
  if (!calls.is(Kind::array)) return;
  for (const observe::WireJson& call : calls.children)
    unread_of("function", call.at("function"), kFunction, take);
}

}  // namespace

void unread_of_chunk(const observe::WireJson& chunk, const TakeUnread& take) {
  unread_of("chunk", chunk, kChunk, take);
}

void unread_of_choice(const observe::WireJson& choice, const TakeUnread& take) {
  unread_of("choice", choice, kChoice, take);
  // Some servers repeat the delta in `text`. Alone it is the text of an older protocol.
  const observe::WireJson& text = choice.at("text");
  if (observe::has_value(text) && text.string() != choice.at("delta").at("content").string())
    take("choice", text);
  for (const std::string_view name : {"delta", "message"}) unread_of_delta(name, choice.at(name), take);
}

}  // namespace splitproof::dialect
