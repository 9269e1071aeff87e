// Items go back as the client got them. Codex keeps the finished items of a failed stream, and continues from
// them.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/dialect/next_turn.hpp"
#include "harness/dialect/openai_responses/client.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

struct Items {
  json done = json::array();  // items of output_item.done
  json all = json::array();   // items of the event that ends the response
  bool ended = false;
};

Items items_in(observe::EventStream& answer) {
  Items items;
  observe::for_each_event(answer, [&](const observe::Event& event) {
    if (!event.terminated || !event.json) return true;
    const std::string type = string_at(*event.json, "type");
    const json& item = member(*event.json, "item");
    if (type == "response.output_item.done" && item.is_object()) items.done.push_back(item);
    if (type == "error" || type == "response.failed") return false;
    items.ended = type == "response.completed" || type == "response.incomplete";
    if (!items.ended) return true;
    const json& output = member(member(*event.json, "response"), "output");
    if (output.is_array()) items.all = output;
    return false;
  });
  return items;
}

}  // namespace

json ResponsesClient::next_request(const json& request, observe::EventStream& answer, bool reversed) const {
  json input = messages_so_far(member(request, "input"));
  const Items told = items_in(answer);
  const json& items = told.done.empty() ? told.all : told.done;
  if ((!told.ended && items.empty()) || input.is_null()) return nullptr;
  json results = json::array();
  for (const json& item : items) {
    const std::string type = string_at(item, "type");
    if (type != "function_call" && type != "custom_tool_call") continue;
    results.push_back({{"type", type + "_output"},
                       {"call_id", member(item, "call_id")},
                       {"output", made_result(results.size())}});
  }
  input.insert(input.end(), items.begin(), items.end());
  go_on(input, std::move(results), reversed);
  json next = request;
  next["input"] = std::move(input);
  return next;
}

}  // namespace splitproof::dialect
