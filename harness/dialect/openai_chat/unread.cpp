#include "harness/dialect/openai_chat/unread.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::MemberNames;

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
    std::to_array<std::string_view>({"type", "text", "summary", "thinking", "signature"});

/// A member that is known and not read. It says nothing that a client acts on.
struct Metadata {
  std::string_view member;
  std::string_view reason;
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

constexpr auto kAboutChunk = std::to_array<Metadata>({{"system_fingerprint", kServed},
                                                      {"service_tier", kServed},
                                                      {"provider", kServed},
                                                      {"model_id", kServed},
                                                      {"model_version", kServed},
                                                      {"system", kServed},
                                                      {"__verbose", kServed},
                                                      {"stream_options", kRequested},
                                                      {"prompt_token_ids", kRequested},
                                                      {"obfuscation", "padding"},
                                                      {"p", "padding"},
                                                      {"prompt_filter_results", kFiltered},
                                                      {"latency_checkpoint", kTimed},
                                                      {"created_at", kTimed},
                                                      {"timings", kTimed},
                                                      {"time_info", kTimed},
                                                      {"sla_metrics", kTimed},
                                                      {"cost", kCost},
                                                      {"copilot_usage", kCost},
                                                      {"x_groq", kCost},
                                                      {"generationId", kLabel},
                                                      {"request_id", kLabel},
                                                      {"type", kLabel},
                                                      {"code", "part of an error, which is read"},
                                                      {"message", "part of an error, which is read"}});
constexpr auto kAboutChoice = std::to_array<Metadata>({{"content_filter_results", kFiltered},
                                                       {"content_filter_offsets", kFiltered},
                                                       {"native_finish_reason", kStopped},
                                                       {"matched_stop", kStopped},
                                                       {"stop_reason", kStopped},
                                                       {"message", kRepeats},
                                                       {"text", kRepeats},
                                                       {"token_ids", kTokens},
                                                       {"seed", kRequested},
                                                       {"obfuscation", "padding"}});
constexpr auto kAboutDelta = std::to_array<Metadata>({{"index", "the number of its choice"},
                                                      {"name", kLabel},
                                                      {"channel", kLabel},
                                                      {"token_id", kTokens},
                                                      {"graph_data", kLabel}});
constexpr auto kAboutPart = std::to_array<Metadata>({{"closed", "the end of the part"}});

void unread_of(std::string_view name, const observe::WireJson& object, MemberNames read,
               std::span<const Metadata> metadata, const TakeUnread& take) {
  observe::for_each_unread(object, read, [&](const observe::WireJson& member) {
    const auto is_it = [&](const Metadata& one) { return one.member == member.key; };
    if (std::none_of(metadata.begin(), metadata.end(), is_it)) take(name, member);
  });
}

void unread_of_each(std::string_view name, const observe::WireJson& list, MemberNames read,
                    std::span<const Metadata> metadata, const TakeUnread& take) {
  if (!list.is(Kind::array)) return;
  for (const observe::WireJson& element : list.children) unread_of(name, element, read, metadata, take);
}

void unread_of_delta(std::string_view name, const observe::WireJson& delta, const TakeUnread& take) {
  unread_of(name, delta, kDelta, kAboutDelta, take);
  unread_of("function", delta.at("function_call"), kFunction, {}, take);
  const observe::WireJson& parts = delta.at("content");
  unread_of_each("part", parts, kPart, kAboutPart, take);
  if (parts.is(Kind::array))
    for (const observe::WireJson& part : parts.children)
      unread_of_each("part", part.at("thinking"), kPart, kAboutPart, take);
  for (const char* list : {"reasoning_details", "thinking_blocks"})
    unread_of_each("reasoning", delta.at(list), kReasoning, {}, take);
  const observe::WireJson& calls = delta.at("tool_calls");
  unread_of_each("call", calls, kCall, {}, take);
  if (!calls.is(Kind::array)) return;
  for (const observe::WireJson& call : calls.children)
    unread_of("function", call.at("function"), kFunction, {}, take);
}

}  // namespace

void unread_of_chunk(const observe::WireJson& chunk, const TakeUnread& take) {
  unread_of("chunk", chunk, kChunk, kAboutChunk, take);
}

void unread_of_choice(const observe::WireJson& choice, const TakeUnread& take) {
  unread_of("choice", choice, kChoice, kAboutChoice, take);
  for (const std::string_view name : {"delta", "message"}) unread_of_delta(name, choice.at(name), take);
}

}  // namespace splitproof::dialect
