// Events that are lost, come twice, or elsewhere, each with all the rest as it was.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;

// Events by what their data holds; an empty `value` stands for any but null.
struct EventClass {
  std::string_view protocol;
  std::string_view name;
  std::string_view field;
  std::string_view value;
};

constexpr auto kClasses = std::to_array<EventClass>({
    {"anthropic.messages", "message_start", "/type", "message_start"},
    {"anthropic.messages", "text-start", "/content_block/type", "text"},
    {"anthropic.messages", "thinking-start", "/content_block/type", "thinking"},
    {"anthropic.messages", "tool_use-start", "/content_block/type", "tool_use"},
    {"anthropic.messages", "server_tool_use-start", "/content_block/type", "server_tool_use"},
    {"anthropic.messages", "mcp_tool_use-start", "/content_block/type", "mcp_tool_use"},
    {"anthropic.messages", "web_search_tool_result", "/content_block/type", "web_search_tool_result"},
    {"anthropic.messages", "mcp_tool_result", "/content_block/type", "mcp_tool_result"},
    {"anthropic.messages", "signature_delta", "/delta/type", "signature_delta"},
    {"anthropic.messages", "content_block_stop", "/type", "content_block_stop"},
    {"anthropic.messages", "message_delta", "/type", "message_delta"},
    {"anthropic.messages", "message_stop", "/type", "message_stop"},
    {"openai.chat", "role", "/choices/0/delta/role", ""},
    {"openai.chat", "call-start", "/choices/0/delta/tool_calls/0/id", ""},
    {"openai.chat", "function_call-start", "/choices/0/delta/function_call/name", ""},
    {"openai.chat", "finish", "/choices/0/finish_reason", ""},
    {"openai.chat", "usage", "/usage/prompt_tokens", ""},
    {"openai.chat", "done", "", "[DONE]"},
    {"openai.responses", "created", "/type", "response.created"},
    {"openai.responses", "message-added", "/item/type", "message"},
    {"openai.responses", "function_call-added", "/item/type", "function_call"},
    {"openai.responses", "custom_tool_call-added", "/item/type", "custom_tool_call"},
    {"openai.responses", "reasoning-added", "/item/type", "reasoning"},
    {"openai.responses", "part-added", "/type", "response.content_part.added"},
    {"openai.responses", "summary-part-added", "/type", "response.reasoning_summary_part.added"},
    {"openai.responses", "text-done", "/type", "response.output_text.done"},
    {"openai.responses", "refusal-done", "/type", "response.refusal.done"},
    {"openai.responses", "summary-done", "/type", "response.reasoning_summary_text.done"},
    {"openai.responses", "arguments-done", "/type", "response.function_call_arguments.done"},
    {"openai.responses", "input-done", "/type", "response.custom_tool_call_input.done"},
    {"openai.responses", "part-done", "/type", "response.content_part.done"},
    {"openai.responses", "item-done", "/type", "response.output_item.done"},
    {"openai.responses", "completed", "/type", "response.completed"},
});

bool is(const Draft& draft, std::size_t event, const EventClass& of) {
  if (of.field.empty()) return draft.frame(event).data == of.value;
  const json& value = draft.at({event, std::string(of.field)});
  return of.value.empty() ? !value.is_null() : value == std::string(of.value);
}

std::size_t first_of(const Draft& draft, const EventClass& of) {
  std::size_t i = 0;
  while (i < draft.size() && !is(draft, i, of)) ++i;
  return i;
}

struct EventOperator {
  Operator what;
  bool (*change)(Draft& draft, std::size_t event);
};

constexpr auto kOperators = std::to_array<EventOperator>({
    {{"lost", Effect::shape, "a client waits for it, or takes what depends on it for nothing"},
     [](Draft& draft, std::size_t i) {
       draft.remove(i);
       return true;
     }},
    {{"doubled", Effect::shape, "a client begins anew, ends twice or throws"},
     [](Draft& draft, std::size_t i) {
       draft.copy(i, i);
       return true;
     }},
    {{"later", Effect::shape, "what comes before it belongs to nothing yet"},
     [](Draft& draft, std::size_t i) {
       if (i + 1 >= draft.size()) return false;
       draft.move(i, i + 1);
       return true;
     }},
    {{"first", Effect::shape, "a client knows of nothing yet that it belongs to"},
     [](Draft& draft, std::size_t i) {
       if (i < 2) return false;
       draft.move(i, 0);
       return true;
     }},
    {{"last", Effect::shape, "a client has stopped reading, or reads it into the next"},
     [](Draft& draft, std::size_t i) {
       if (i + 2 >= draft.size()) return false;
       draft.move(i, draft.size() - 1);
       return true;
     }},
    {{"again-at-the-end", Effect::shape, "a client has stopped reading, or reads it into the next"},
     [](Draft& draft, std::size_t i) {
       if (i + 1 >= draft.size()) return false;
       draft.copy(i, draft.size());
       return true;
     }},
});

// Moves that cannot be made, as nothing is before the first or behind the last, and those that change nothing: a role
// beside the first text, say.
bool cannot(const EventClass& of, std::string_view name) {
  const bool opens = of.name == "message_start" || of.name == "created" || of.name == "role" ||
                     of.name == "function_call-start";
  const bool closes = of.name == "message_stop" || of.name == "completed" || of.name == "done";
  // What stands right before the end cannot be moved behind anything but the end, which is "later".
  if ((of.name == "message_delta" || of.name == "usage") && name == "last") return true;
  if (opens && name == "first") return true;
  return closes && (name == "later" || name == "last" || name == "again-at-the-end");
}

}  // namespace

void add_event_kinds(KindList& kinds) {
  for (const EventClass& of : kClasses) {
    if (of.protocol != kinds.protocol()) continue;
    for (const EventOperator& op : kOperators) {
      if (cannot(of, op.what.name)) continue;
      kinds.add("events", op.what, of.name, [of, change = op.change](const Draft& draft) -> Bodies {
        const std::size_t event = first_of(draft, of);
        Draft changed = draft;
        if (event == draft.size() || !change(changed, event)) return {};
        changed.renumber();
        return {changed.body()};
      });
    }
  }
}

}  // namespace splitproof::selftest
