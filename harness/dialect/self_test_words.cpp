#include "harness/dialect/self_test_words.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {
namespace {

using Text = std::optional<std::string>;

constexpr std::string_view kMixed = "the client loses its content or misreads it";

constexpr auto kEvents = std::to_array<ForeignEvent>({
    {{"status-error", Effect::shape, "the client ignores a failure"},
     "error",
     R"({"code":429,"status":"RESOURCE_EXHAUSTED","detail":"Too many ships."})"},
    {{"ollama-chunk", Effect::shape, kMixed},
     "message",
     R"({"model":"m","message":{"role":"assistant","content":"tide"},"done":false})"},
});

// Notations of models that proxies turn into calls, and notations of providers.
constexpr auto kTexts = std::to_array<ForeignText>({
    {"arguments",
     StringKind::arguments,
     {{"markup-behind", Effect::shape, "the tool gets invalid JSON, {} or nothing"},
      [](const std::string& text) -> Text { return text + "</tool_call>"; }}},
    {"prose",
     StringKind::prose,
     {{"call-as-text", Effect::shape, "the user reads a call, and no tool gets it"},
      [](const std::string& text) -> Text {
        return text + "<tool_call>{\"name\":\"read_tide\",\"arguments\":{}}</tool_call>";
      }}},
    {"prose",
     StringKind::prose,
     {{"error-list-as-text", Effect::shape, "the client shows a failure as an answer and does not retry"},
      [](const std::string&) -> Text {
        return R"([{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}])";
      }}},
});

}  // namespace

std::string type_of_event(const nlohmann::ordered_json& data) { return string_at(data, "type"); }

std::string type_with_inner(const nlohmann::ordered_json& data, std::span<const char* const> members) {
  std::string label = type_of_event(data);
  for (const char* name : members) {
    const std::string type = string_at(member(data, name), "type");
    if (!type.empty()) label += " " + type;
  }
  return label;
}

std::span<const ForeignEvent> foreign_events() { return kEvents; }
std::span<const ForeignText> foreign_texts() { return kTexts; }

std::string settled_arguments(const std::string& arguments) {
  if (observe::kind_of_arguments(arguments) == observe::Arguments::none) return "{}";
  const auto input = parse_strict_json(arguments);
  return input && (*input)->is_object() ? (*input)->dump() : arguments;
}

}  // namespace splitproof::dialect
