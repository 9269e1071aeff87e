// The reading of a stream by the openai package (ChatCompletionStream), and the next request of its users.
// Thinking is sent back as agents for such servers do.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/dialect/next_turn.hpp"
#include "harness/dialect/openai_chat/client.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::PartKind;

json tool_call_of(const observe::Part& part) {
  json call = {{"type", part.custom ? "custom" : "function"}};
  if (!part.id.empty()) call["id"] = part.id;
  call[part.custom ? "custom" : "function"] = {{"name", part.name},
                                               {part.custom ? "input" : "arguments", part.arguments}};
  return call;
}

json assistant_message(const observe::Answer& answer) {
  json message = {{"role", "assistant"}, {"content", ""}};
  const auto add = [&message](const char* key, const std::string& text) {
    message[key] = string_at(message, key) + text;
  };
  for (const observe::Part& part : answer.parts) {
    if (part.kind == PartKind::text) add("content", part.text);
    if (part.kind == PartKind::thinking) add("reasoning_content", part.text);
    if (part.kind == PartKind::refusal) add("refusal", part.text);
    if (part.kind == PartKind::call) message["tool_calls"].push_back(tool_call_of(part));
  }
  if (message["content"] == "" && (message.contains("tool_calls") || message.contains("refusal")))
    message["content"] = nullptr;
  return message;
}

}  // namespace

json ChatClient::next_request(const json& request, observe::EventStream& answer, bool reversed) const {
  json messages = messages_so_far(member(request, "messages"));
  const observe::Answer told = assemble(answer);
  const bool cut = answer.message_end() == observe::MessageEnd::cut && !told.done;
  if (cut || told.error || !told.finish || messages.is_null()) return nullptr;
  const json message = assistant_message(told);
  json results = json::array();
  for (const json& call : member(message, "tool_calls")) {
    results.push_back({{"role", "tool"}, {"content", made_result(results.size())}});
    if (call.contains("id")) results.back()["tool_call_id"] = call["id"];
  }
  messages.push_back(message);
  go_on(messages, std::move(results), reversed);
  json next = request;
  next["messages"] = std::move(messages);
  return next;
}

}  // namespace splitproof::dialect
