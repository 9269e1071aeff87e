#include "harness/dialect/anthropic_messages/self_test.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/anthropic_messages/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;
using Words = std::string_view;

constexpr auto kTypes =
    std::to_array<Words>({"message_start", "content_block_start", "content_block_delta", "content_block_stop",
                          "message_delta", "message_stop", "ping", "error"});

std::string event_class(const json& data) {
  constexpr auto kInside = std::to_array<const char*>({"content_block", "delta"});
  return type_with_inner(data, kInside);
}

std::string piece_of(const json& data) {
  return type_of_event(data) == "content_block_delta" ? member(data, "index").dump() : std::string();
}

bool idle(const json& data) { return type_of_event(data) == "ping"; }

constexpr auto kIndices = std::to_array<Words>({"index"});
constexpr auto kIds = std::to_array<Words>({"id", "tool_use_id"});
constexpr auto kLabels = std::to_array<Words>({"type", "role", "stop_reason"});

constexpr auto kBlocks = std::to_array<Words>({"text", "thinking", "tool_use", "redacted_thinking"});
constexpr auto kDeltas =
    std::to_array<Words>({"text_delta", "thinking_delta", "signature_delta", "input_json_delta"});
constexpr auto kErrors =
    std::to_array<Words>({"invalid_request_error", "authentication_error", "permission_error",
                          "not_found_error", "rate_limit_error", "api_error", "overloaded_error"});
constexpr auto kRoles = std::to_array<Words>({"assistant", "user"});
constexpr auto kReasons =
    std::to_array<Words>({"end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal"});
constexpr auto kVocabularies = std::to_array<Vocabulary>({
    {"type", kBlocks},
    {"type", kDeltas},
    {"type", kErrors, true},
    {"role", kRoles},
    {"stop_reason", kReasons, true},
});

constexpr auto kEvents = std::to_array<KnownEvent>({
    {"message_start", "/type", "message_start", EventPosition::first},
    {"text-start", "/content_block/type", "text"},
    {"thinking-start", "/content_block/type", "thinking"},
    {"tool_use-start", "/content_block/type", "tool_use"},
    {"server_tool_use-start", "/content_block/type", "server_tool_use"},
    {"mcp_tool_use-start", "/content_block/type", "mcp_tool_use"},
    {"web_search_tool_result", "/content_block/type", "web_search_tool_result"},
    {"mcp_tool_result", "/content_block/type", "mcp_tool_result"},
    {"signature_delta", "/delta/type", "signature_delta"},
    {"content_block_stop", "/type", "content_block_stop"},
    {"message_delta", "/type", "message_delta", EventPosition::before_the_last},
    {"message_stop", "/type", "message_stop", EventPosition::last},
});

constexpr auto kInnerTypes =
    std::to_array<const char*>({"/content_block/type", "/delta/type", "/delta/citation/type"});

constexpr auto kFlaws = std::to_array<SceneTable>({anthropic_flaws_of_ends, anthropic_flaws_of_blocks,
                                                   anthropic_flaws_of_results, anthropic_flaws_of_usage});

constexpr auto kObjects = std::to_array<const char*>({"/message", "/content_block"});
constexpr auto kCounts = std::to_array<const char*>({"/message/usage", "/usage"});

constexpr auto kForeignEvents = std::to_array<ForeignEvent>({
    {{"anthropic-event", Effect::shape, "the client loses its content or misreads it"},
     "content_block_delta",
     R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"tide"}})"},
});

constexpr auto kForeignTexts = std::to_array<ForeignText>({
    {"prose",
     StringKind::prose,
     {{"event-as-text", Effect::shape, "the user reads a piece of the protocol"},
      [](const std::string& text) -> std::optional<std::string> {
        return text + "\n\ndata: {\"type\":\"ping\"}\n\n";
      }}},
    {"prose",
     StringKind::prose,
     {{"anthropic-error-as-text", Effect::shape,
       "the client shows a failure as an answer and does not retry"},
      [](const std::string&) -> std::optional<std::string> {
        return R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})";
      }}},
});

}  // namespace

const SelfTestWords kAnthropicWords = {
    .types = kTypes,
    .event_class = event_class,
    .piece_of = piece_of,
    .idle = idle,
    .indices = kIndices,
    .ids = kIds,
    .labels = kLabels,
    .vocabularies = kVocabularies,
    .strand_classes = anthropic_strand_classes,
    .strands = anthropic_strands,
    .decided = decided_by_anthropic,
    .events = kEvents,
    .inner_types = kInnerTypes,
    .members = anthropic_members,
    .flaws = kFlaws,
    .variations = anthropic_variations,
    .objects = kObjects,
    .counts = kCounts,
    .foreign_events = kForeignEvents,
    .foreign_texts = kForeignTexts,
};

}  // namespace splitproof::dialect
