#include "proxy/dialect/anthropic_messages/tool_places.hpp"

namespace splitproof::proxy::dialect {
namespace {

using names::ToolPlaces;
using wire::Json;
using wire::JsonKind;

void find_calls(const Json& content, ToolPlaces& places) {
  for (Json block = content.first(); block; block = block.next()) {
    if (block["type"].text() == "tool_use" && block["name"].is(JsonKind::string))
      places.called.push_back({block["name"], block["input"]});
  }
}

}  // namespace

ToolPlaces messages_request_tools(const Json& request) {
  ToolPlaces places;
  for (Json tool = request["tools"].first(); tool; tool = tool.next()) {
    if (!tool["name"].is(JsonKind::string)) continue;
    const Json type = tool["type"];
    const bool function = !type || type.is(JsonKind::null) || type.text() == "custom";
    places.declared.push_back({tool["name"], tool["input_schema"], function});
  }
  for (Json turn = request["messages"].first(); turn; turn = turn.next()) find_calls(turn["content"], places);
  const Json choice = request["tool_choice"];
  if (choice["type"].text() == "tool" && choice["name"].is(JsonKind::string))
    places.chosen.push_back(choice["name"]);
  return places;
}

ToolPlaces messages_answer_tools(const Json& answer) {
  ToolPlaces places;
  find_calls(answer["content"], places);
  return places;
}

}  // namespace splitproof::proxy::dialect
