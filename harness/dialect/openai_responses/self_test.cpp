#include "harness/dialect/openai_responses/self_test.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_responses/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;
using Words = std::string_view;

constexpr auto kTypes = std::to_array<Words>(
    {"response.created", "response.in_progress", "response.output_item.added", "response.content_part.added",
     "response.output_text.delta", "response.output_text.done", "response.content_part.done",
     "response.function_call_arguments.delta", "response.function_call_arguments.done",
     "response.output_item.done", "response.completed", "response.incomplete", "response.failed", "error"});

std::string event_class(const json& data) {
  constexpr auto kInside = std::to_array<const char*>({"item", "part"});
  return type_with_inner(data, kInside);
}

std::string piece_of(const json& data) {
  if (!type_of_event(data).ends_with(".delta")) return "";
  return member(data, "item_id").dump() + member(data, "content_index").dump();
}

bool idle(const json& data) { return type_of_event(data) == "keepalive"; }

constexpr auto kIndices =
    std::to_array<Words>({"index", "output_index", "content_index", "summary_index", "sequence_number"});
constexpr auto kIds = std::to_array<Words>({"id", "item_id", "call_id"});
constexpr auto kLabels = std::to_array<Words>({"type", "role", "object", "status"});

constexpr auto kItems = std::to_array<Words>({"message", "function_call", "reasoning"});
constexpr auto kParts = std::to_array<Words>({"output_text", "refusal"});
constexpr auto kRoles = std::to_array<Words>({"assistant", "user"});
constexpr auto kStates = std::to_array<Words>({"in_progress", "completed", "incomplete", "failed"});
constexpr auto kVocabularies =
    std::to_array<Vocabulary>({{"type", kItems}, {"type", kParts}, {"role", kRoles}, {"status", kStates}});

constexpr auto kEvents = std::to_array<KnownEvent>({
    {"created", "/type", "response.created", EventPosition::first},
    {"message-added", "/item/type", "message"},
    {"function_call-added", "/item/type", "function_call"},
    {"custom_tool_call-added", "/item/type", "custom_tool_call"},
    {"reasoning-added", "/item/type", "reasoning"},
    {"part-added", "/type", "response.content_part.added"},
    {"summary-part-added", "/type", "response.reasoning_summary_part.added"},
    {"text-done", "/type", "response.output_text.done"},
    {"refusal-done", "/type", "response.refusal.done"},
    {"summary-done", "/type", "response.reasoning_summary_text.done"},
    {"arguments-done", "/type", "response.function_call_arguments.done"},
    {"input-done", "/type", "response.custom_tool_call_input.done"},
    {"part-done", "/type", "response.content_part.done"},
    {"item-done", "/type", "response.output_item.done"},
    {"completed", "/type", "response.completed", EventPosition::last},
});

constexpr auto kInnerTypes = std::to_array<const char*>({"/item/type", "/part/type", "/annotation/type"});

constexpr auto kFlaws =
    std::to_array<SceneTable>({responses_flaws_of_numbers, responses_flaws_of_items, responses_flaws_of_ends,
                               responses_flaws_of_output, responses_flaws_of_usage});

// Excludes items, because every member of a server's own item is content.
constexpr auto kObjects = std::to_array<const char*>({"/part", "/response"});
constexpr auto kCounts = std::to_array<const char*>({"/response/usage"});

constexpr auto kForeignEvents = std::to_array<ForeignEvent>({
    {{"responses-event", Effect::shape, "the client loses its content or misreads it"},
     "response.output_text.delta",
     R"({"type":"response.output_text.delta","item_id":"msg_x","output_index":0,"content_index":0,"delta":"tide"})"},
});

}  // namespace

const SelfTestWords kResponsesWords = {
    .types = kTypes,
    .number = "/sequence_number",
    .event_class = event_class,
    .piece_of = piece_of,
    .idle = idle,
    .indices = kIndices,
    .ids = kIds,
    .labels = kLabels,
    .vocabularies = kVocabularies,
    .strand_classes = responses_strand_classes,
    .strands = responses_strands,
    .decided = decided_by_responses,
    .events = kEvents,
    .inner_types = kInnerTypes,
    .members = responses_members,
    .flaws = kFlaws,
    .variations = responses_variations,
    .objects = kObjects,
    .counts = kCounts,
    .foreign_events = kForeignEvents,
};

}  // namespace splitproof::dialect
