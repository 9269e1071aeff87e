#include "harness/dialect/bedrock_converse/self_test.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/bedrock_converse/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;
using Words = std::string_view;

// Returns the event and its kind of content: "contentBlockDelta text".
std::string class_of_event(const json& data) {
  std::string label = string_at(data, ":event-type");
  if (label.empty()) label = string_at(data, ":exception-type");
  for (const char* inside : {"delta", "start"}) {
    const json& content = member(data, inside);
    if (content.is_object() && !content.empty()) label += " " + content.items().begin().key();
  }
  const json& thought = member(member(data, "delta"), "reasoningContent");
  if (thought.is_object() && !thought.empty()) label += " " + thought.items().begin().key();
  return label;
}

std::string block_of_piece(const json& data) {
  const json& delta = member(data, "delta");
  const bool is_piece = !string_at(delta, "text").empty() || member(delta, "toolUse").is_object() ||
                        !string_at(member(delta, "reasoningContent"), "text").empty();
  return is_piece ? member(data, "contentBlockIndex").dump() : std::string();
}

// Padding and metadata of the service.
bool is_of_the_service(std::string_view field_class) {
  return field_class == "/p" || field_class.starts_with("/metrics") || field_class.starts_with("/trace") ||
         field_class.starts_with("/usage/serverToolUsage");
}

constexpr auto kConverseIndices = std::to_array<Words>({"contentBlockIndex"});
constexpr auto kConverseIds = std::to_array<Words>({"toolUseId"});
constexpr auto kConverseLabels =
    std::to_array<Words>({":message-type", ":event-type", ":exception-type", "role", "stopReason"});

constexpr auto kMessageTypes = std::to_array<Words>({"event", "exception", "error"});
constexpr auto kEventTypes = std::to_array<Words>({"messageStart", "contentBlockStart", "contentBlockDelta",
                                                   "contentBlockStop", "messageStop", "metadata"});
constexpr auto kExceptionTypes =
    std::to_array<Words>({"throttlingException", "validationException", "internalServerException"});
constexpr auto kConverseRoles = std::to_array<Words>({"assistant", "user"});
constexpr auto kStopReasons =
    std::to_array<Words>({"end_turn", "tool_use", "max_tokens", "stop_sequence", "content_filtered"});
constexpr auto kConverseVocabularies = std::to_array<Vocabulary>({{":message-type", kMessageTypes},
                                                                  {":event-type", kEventTypes},
                                                                  {":exception-type", kExceptionTypes, true},
                                                                  {"role", kConverseRoles},
                                                                  {"stopReason", kStopReasons, true}});

constexpr auto kConverseEvents = std::to_array<KnownEvent>({
    {"messageStart", "/:event-type", "messageStart", EventPosition::first},
    {"contentBlockStart", "/:event-type", "contentBlockStart"},
    {"signature", "/delta/reasoningContent/signature", ""},
    {"contentBlockStop", "/:event-type", "contentBlockStop"},
    {"messageStop", "/:event-type", "messageStop", EventPosition::before_the_last},
    {"metadata", "/:event-type", "metadata", EventPosition::last},
});

constexpr auto kConverseFlaws = std::to_array<SceneTable>({converse_flaws});
constexpr auto kConverseObjects = std::to_array<const char*>({"/start/toolUse", "/metrics"});
constexpr auto kConverseCounts = std::to_array<const char*>({"/usage"});

constexpr auto kConverseForeignEvents = std::to_array<ForeignEvent>({
    {{"converse-event", Effect::shape, "the client loses its content or misreads it"},
     "contentBlockDelta",
     R"({"contentBlockIndex":0,"delta":{"text":"tide"}})"},
});

// Frames have no lines, and the documents that the self-test reads have always one spelling. The first event has no flag
// and no null.
// clang-format off
constexpr auto kImpossible = std::to_array<Words>({
    "data-*", "line-separator-as-line-end@*", "lone-carriage-returns@*", "last-line-end-lost@*", "blank-lines-*",
    "sizes-throughout@*", "carriage-returns-before-line-feeds@*", "byte-order-mark-first@*", "comment*",
    "empty-comments-between@*", "event-ids@*", "retry@*", "no-blank-after-colon@*", "blanks@json", "*-escaped@json", "python-words@opening"});
// clang-format on

}  // namespace

const SelfTestWords kConverseWords = {
    .event_lines = false,
    .event_class = class_of_event,
    .piece_of = block_of_piece,
    .impossible = kImpossible,
    .indices = kConverseIndices,
    .ids = kConverseIds,
    .labels = kConverseLabels,
    .vocabularies = kConverseVocabularies,
    .own = is_of_the_service,
    .strand_classes = converse_strand_classes,
    .strands = converse_strands,
    .decided = decided_by_converse,
    .events = kConverseEvents,
    .members = converse_members,
    .flaws = kConverseFlaws,
    .variations = converse_variations,
    .objects = kConverseObjects,
    .counts = kConverseCounts,
    .foreign_events = kConverseForeignEvents,
};

}  // namespace splitproof::dialect
