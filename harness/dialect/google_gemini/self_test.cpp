#include "harness/dialect/google_gemini/self_test.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/google_gemini/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;
using Words = std::string_view;

const json& first_candidate(const json& data) {
  static const json kNull;
  const json& candidates = member(data, "candidates");
  return candidates.is_array() && !candidates.empty() ? candidates.front() : kNull;
}

// Returns the content of a frame: "text", "call", "text+finish".
std::string class_of_frame(const json& data) {
  if (!member(data, "error").is_null()) return "error";
  std::string label;
  const auto add = [&label](bool there, const char* word) {
    if (there) label += (label.empty() ? "" : "+") + std::string(word);
  };
  const json& candidate = first_candidate(data);
  const json& parts = member(member(candidate, "content"), "parts");
  for (std::size_t i = 0; parts.is_array() && i < parts.size(); ++i) {
    const json& part = parts[i];
    const json& text = member(part, "text");
    add(text.is_string() && text != "", member(part, "thought") == true ? "thinking" : "text");
    add(member(part, "functionCall").is_object(), "call");
    add(member(part, "thoughtSignature").is_string(), "signature");
  }
  add(member(candidate, "finishReason").is_string(), "finish");
  add(member(data, "promptFeedback").is_object(), "blocked");
  return label.empty() ? "nothing" : label;
}

// Returns a label for a frame with only one piece of text, otherwise "".
std::string piece_of_frame(const json& data) {
  const std::string label = class_of_frame(data);
  return label == "text" || label == "thinking" ? label : "";
}

template <std::size_t n>
bool is_among(const std::array<Words, n>& names, Words name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Known fields, which contracts/specifications/gemini.md reads.
bool is_own_field(std::string_view field_class) {
  constexpr std::array<Words, 6> kOfFrame = {"candidates", "usageMetadata",  "modelVersion",
                                             "responseId", "promptFeedback", "error"};
  constexpr std::array<Words, 3> kOfCandidate = {"content", "finishReason", "index"};
  constexpr std::string_view kCandidate = "/candidates/*/";
  if (field_class.find("/args/") != std::string_view::npos) return true;  // the tool's own
  const auto name_at = [&](std::size_t at) { return field_class.substr(at, field_class.find('/', at) - at); };
  if (!field_class.starts_with(kCandidate)) return !is_among(kOfFrame, name_at(1));
  return !is_among(kOfCandidate, name_at(kCandidate.size()));
}

bool may_lack_field(std::string_view field_class) { return field_class.starts_with("/candidates/*/"); }

// A frame with the end or a signature cannot come twice.
bool is_halvable(const Draft& draft, const FieldRef& piece) {
  return !piece_of_frame(draft.data(piece.event)).empty() &&
         !draft.has({piece.event, "/candidates/0/content/parts/1"});
}

constexpr auto kFrameIndices = std::to_array<Words>({"index"});
constexpr auto kFrameIds = std::to_array<Words>({"id", "responseId"});
constexpr auto kFrameLabels = std::to_array<Words>({"role", "finishReason", "blockReason", "status"});

constexpr auto kFrameRoles = std::to_array<Words>({"model", "user"});
constexpr auto kFrameReasons =
    std::to_array<Words>({"STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "MALFORMED_FUNCTION_CALL"});
constexpr auto kBlockReasons = std::to_array<Words>({"SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT"});
constexpr auto kStatuses = std::to_array<Words>({"UNAVAILABLE", "INTERNAL", "RESOURCE_EXHAUSTED"});
constexpr auto kFrameVocabularies = std::to_array<Vocabulary>({{"role", kFrameRoles},
                                                               {"finishReason", kFrameReasons, true},
                                                               {"blockReason", kBlockReasons, true},
                                                               {"status", kStatuses, true}});

constexpr auto kFrameEvents = std::to_array<KnownEvent>({
    {"call", "/candidates/0/content/parts/0/functionCall", ""},
    {"thought", "/candidates/0/content/parts/0/thought", ""},
    {"finish", "/candidates/0/finishReason", "", EventPosition::last},
});

constexpr auto kFrameFlaws =
    std::to_array<SceneTable>({gemini_flaws_of_parts, gemini_flaws_of_calls, gemini_flaws_of_ends});

constexpr auto kFrameObjects =
    std::to_array<const char*>({"/candidates/0", "/candidates/0/content", "/candidates/0/content/parts/0"});
constexpr auto kFrameCounts = std::to_array<const char*>({"/usageMetadata"});

constexpr auto kGeminiForeignEvents = std::to_array<ForeignEvent>({
    {{"gemini-chunk", Effect::shape, "the client loses its content or misreads it"},
     "message",
     R"({"candidates":[{"content":{"parts":[{"text":"tide"}],"role":"model"},"index":0}],"modelVersion":"m"})"},
});

constexpr auto kGeminiForeignTexts = std::to_array<ForeignText>({
    {"prose",
     StringKind::prose,
     {{"gemini-error-as-text", Effect::shape, "the client shows a failure as an answer and does not retry"},
      [](const std::string&) -> std::optional<std::string> {
        return R"({"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}})";
      }}},
});

}  // namespace

const SelfTestWords kGeminiWords = {
    .event_lines = false,
    .event_class = class_of_frame,
    .piece_of = piece_of_frame,
    .indices = kFrameIndices,
    .ids = kFrameIds,
    .labels = kFrameLabels,
    .vocabularies = kFrameVocabularies,
    .own = is_own_field,
    .may_be_absent = may_lack_field,
    .strand_classes = gemini_strand_classes,
    .strands = gemini_strands,
    .can_be_halved = is_halvable,
    .decided = decided_by_gemini,
    .events = kFrameEvents,
    .members = gemini_members,
    .flaws = kFrameFlaws,
    .variations = gemini_variations,
    .objects = kFrameObjects,
    .counts = kFrameCounts,
    .foreign_events = kGeminiForeignEvents,
    .foreign_texts = kGeminiForeignTexts,
};

}  // namespace splitproof::dialect
