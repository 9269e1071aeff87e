#include "harness/dialect/openai_chat/self_test.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/self_test_tables.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using json = nlohmann::ordered_json;
using Words = std::string_view;

const json& first(const json& list) {
  static const json kNull;
  return list.is_array() && !list.empty() ? list.front() : kNull;
}

bool says(const json& value) { return value.is_string() && !value.get_ref<const std::string&>().empty(); }

// True if a delta has nonempty members of a provider's own.
bool says_more(const json& delta) {
  if (!delta.is_object()) return false;
  constexpr std::array<std::string_view, 6> kKnown = {"role",      "content", "reasoning_content",
                                                      "reasoning", "refusal", "tool_calls"};
  for (const auto& [key, value] : delta.items()) {
    const bool known = std::find(kKnown.begin(), kKnown.end(), key) != kKnown.end();
    if (!known && !value.is_null() && !value.empty() && value != "") return true;
  }
  return false;
}

// Returns the content of the chunk: "text", "call", "finish".
std::string event_class(const json& data) {
  if (!member(data, "error").is_null()) return "error";
  const json& choice = first(member(data, "choices"));
  const json& delta = member(choice, "delta");
  const json& call = first(member(delta, "tool_calls"));
  std::string label;
  const auto add = [&label](bool there, const char* word) {
    if (there) label += (label.empty() ? "" : "+") + std::string(word);
  };
  add(says(member(delta, "role")), "role");
  add(says(member(delta, "content")), "text");
  add(says(member(delta, "reasoning_content")) || says(member(delta, "reasoning")), "thinking");
  add(says(member(delta, "refusal")), "refusal");
  add(says(member(call, "id")), "call");
  add(!call.is_null() && !says(member(call, "id")), "arguments");
  add(says_more(delta), "other");
  add(!member(choice, "finish_reason").is_null(), "finish");
  add(member(data, "usage").is_object(), "usage");
  return label.empty() ? "nothing" : label;
}

// Returns a label for a chunk with only one content, otherwise "".
std::string piece_of(const json& data) {
  const std::string label = event_class(data);
  if (label != "text" && label != "thinking" && label != "refusal" && label != "arguments") return "";
  const json& choice = first(member(data, "choices"));
  return label + member(choice, "index").dump() +
         member(first(member(member(choice, "delta"), "tool_calls")), "index").dump();
}

bool silent(const json& data) { return member(data, "choices").is_array() && event_class(data) == "nothing"; }

// Known fields: OpenAI's reference, and the two names under which servers send reasoning.
bool own(std::string_view field_class) {
  constexpr std::array<std::string_view, 10> kOfChunk = {
      "id",           "object",     "created", "model", "choices", "usage", "error", "system_fingerprint",
      "service_tier", "obfuscation"};
  constexpr std::array<std::string_view, 4> kOfChoice = {"index", "delta", "finish_reason", "logprobs"};
  constexpr std::array<std::string_view, 7> kOfDelta = {
      "role", "content", "refusal", "tool_calls", "function_call", "reasoning", "reasoning_content"};
  const auto next = [](std::string_view& rest) {
    rest.remove_prefix(1);
    const std::string_view name = rest.substr(0, rest.find('/'));
    rest.remove_prefix(name.size());
    return name;
  };
  const auto among = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::string_view rest = field_class;
  const std::string_view top = next(rest);
  if (top != "choices" || rest.size() <= 2) return !among(kOfChunk, top);
  rest.remove_prefix(2);  // the place among the choices
  const std::string_view member = next(rest);
  if (member != "delta" || rest.empty()) return !among(kOfChoice, member);
  return !among(kOfDelta, next(rest));
}

bool may_be_absent(std::string_view field_class) {
  constexpr std::string_view kDelta = "/choices/*/delta/";
  return field_class.compare(0, kDelta.size(), kDelta) == 0 &&
         field_class.find('/', kDelta.size()) == std::string::npos;
}

// An event with more than the piece cannot come twice.
bool can_be_halved(const Draft& draft, const FieldRef& piece) {
  const std::string event = draft.data(piece.event).dump();
  return event.find("\"role\"") == std::string::npos && event.find("\"name\"") == std::string::npos &&
         event.find("\"finish_reason\":\"") == std::string::npos && !draft.has({piece.event, "/choices/1"}) &&
         !draft.has({piece.event, "/usage"});
}

constexpr auto kIndices = std::to_array<Words>({"index"});
constexpr auto kIds = std::to_array<Words>({"id"});
constexpr auto kLabels = std::to_array<Words>({"type", "role", "object", "finish_reason"});

constexpr auto kRoles = std::to_array<Words>({"assistant", "user", "tool"});
constexpr auto kObjectNames = std::to_array<Words>({"chat.completion.chunk", "chat.completion"});
constexpr auto kTypes = std::to_array<Words>({"function", "custom"});
constexpr auto kReasons = std::to_array<Words>({"stop", "length", "tool_calls", "content_filter"});
constexpr auto kVocabularies = std::to_array<Vocabulary>(
    {{"role", kRoles}, {"object", kObjectNames}, {"type", kTypes}, {"finish_reason", kReasons, true}});

constexpr auto kEvents = std::to_array<KnownEvent>({
    {"role", "/choices/0/delta/role", "", EventPosition::first},
    {"call-start", "/choices/0/delta/tool_calls/0/id", ""},
    {"function_call-start", "/choices/0/delta/function_call/name", "", EventPosition::first},
    {"finish", "/choices/0/finish_reason", ""},
    {"usage", "/usage/prompt_tokens", "", EventPosition::before_the_last},
    {"done", "", "[DONE]", EventPosition::last},
});

constexpr auto kFlaws = std::to_array<SceneTable>(
    {chat_flaws_of_ends, chat_flaws_of_choices, chat_flaws_of_calls, chat_flaws_of_envelope});

constexpr auto kObjects = std::to_array<const char*>({"/choices/0", "/choices/0/delta/tool_calls/0"});
constexpr auto kCounts = std::to_array<const char*>({"/usage"});

constexpr auto kForeignEvents = std::to_array<ForeignEvent>({
    {{"chat-chunk", Effect::shape, "the client loses its content or misreads it"},
     "message",
     R"({"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"tide"},"finish_reason":null}]})"},
    {{"early-done", Effect::shape, "a client stops reading in the middle of the answer"}, "", "[DONE]", true},
    {{"done-in-lower-case", Effect::shape, "no JSON reader accepts it"}, "", "[done]", true},
});

using Text = std::optional<std::string>;

constexpr auto kForeignTexts = std::to_array<ForeignText>({
    {"prose",
     StringKind::prose,
     {{"error-as-text", Effect::shape, "the client shows a failure as an answer and does not retry"},
      [](const std::string&) -> Text {
        return R"({"error":{"message":"Too many ships.","type":"server_error","code":503}})";
      }}},
    {kLegal,
     StringKind::prose,
     {legal("says-done", kAnotherAnswer),
      [](const std::string& text) -> Text { return text + " Then comes [DONE], they say."; }}},
    {kLegal,
     StringKind::arguments,
     {legal("says-done", kAnotherAnswer),
      [](const std::string&) -> Text { return R"({"text":"data: [DONE]\n\n"})"; }}},
});

}  // namespace

const SelfTestWords kChatWords = {
    .event_lines = false,
    .event_class = event_class,
    .piece_of = piece_of,
    .idle = silent,
    .silent = silent,
    .indices = kIndices,
    .ids = kIds,
    .labels = kLabels,
    .vocabularies = kVocabularies,
    .own = own,
    .may_be_absent = may_be_absent,
    .strand_classes = chat_strand_classes,
    .strands = chat_strands,
    .can_be_halved = can_be_halved,
    .decided = decided_by_chat,
    .events = kEvents,
    .members = chat_members,
    .flaws = kFlaws,
    .variations = chat_variations,
    .objects = kObjects,
    .counts = kCounts,
    .foreign_events = kForeignEvents,
    .foreign_texts = kForeignTexts,
};

}  // namespace splitproof::dialect
