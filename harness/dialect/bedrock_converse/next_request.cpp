// The next request of a client that sends the model's blocks back, as users of AWS's SDK assemble them.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/dialect/bedrock_converse/client.hpp"
#include "harness/dialect/bedrock_converse/client_reading.hpp"
#include "harness/dialect/next_turn.hpp"
#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::Part;
using observe::PartKind;

json sent_back(const Part& part) {
  if (part.kind == PartKind::text) return {{"text", part.text}};
  if (part.kind == PartKind::other) return {{"reasoningContent", {{"redactedContent", part.text}}}};
  if (part.kind == PartKind::thinking) {
    json text = {{"text", part.text}};
    if (!part.signature.empty()) text["signature"] = part.signature;
    return {{"reasoningContent", {{"reasoningText", text}}}};
  }
  const auto input = parse_strict_json(part.arguments);
  const bool is_object = input && (*input)->is_object();
  return {{"toolUse",
           {{"toolUseId", part.id}, {"name", part.name}, {"input", is_object ? **input : json::object()}}}};
}

json result_for(const Part& call, std::size_t place) {
  return {{"toolResult",
           {{"toolUseId", call.id},
            {"content", json::array({json{{"text", made_result(place)}}})},
            {"status", "success"}}}};
}

}  // namespace

json ConverseClient::next_request(const json& request, observe::EventStream& answer, bool reversed) const {
  json messages = messages_so_far(member(request, "messages"));
  ConverseClientReading reading;
  observe::for_each_event(answer, [&](const observe::Event& event) {
    if (event.terminated && event.json) reading.take(event.data);
    return true;
  });
  if (!reading.stopped() || reading.error() || messages.is_null()) return nullptr;
  json blocks = json::array();
  json results = json::array();
  for (const ConverseBlock& block : reading.blocks()) {
    blocks.push_back(sent_back(block.part));
    if (block.part.kind == PartKind::call) results.push_back(result_for(block.part, results.size()));
  }
  if (blocks.empty()) return nullptr;  // the service refuses two messages of the user in succession
  json content = json::array();
  add_results(content, std::move(results), reversed);
  if (content.empty()) content.push_back({{"text", kNextQuestion}});
  messages.push_back({{"role", "assistant"}, {"content", std::move(blocks)}});
  messages.push_back({{"role", "user"}, {"content", std::move(content)}});
  json next = request;
  next["messages"] = std::move(messages);
  return next;
}

}  // namespace splitproof::dialect
