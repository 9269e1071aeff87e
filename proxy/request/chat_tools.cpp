#include "proxy/request/chat_tools.hpp"

#include <set>

#include "proxy/request/refuse.hpp"

namespace splitproof::request {
namespace {

using wire::Json;
using wire::JsonKind;

// Appends one tool and says its name.
std::string append_tool(const Json& tool, const std::string& field, std::string& body) {
  if (!tool.is(JsonKind::object)) refuse(field, "has to be an object");
  const Json type = tool["type"];
  if (given(type) && type.text() != "custom") {
    refuse(field + ".type", "is a tool that the provider defines or runs, which the upstream does not have");
  }
  const Json name = need_string(tool["name"], field + ".name");
  const Json schema = tool["input_schema"];
  if (!schema.is(JsonKind::object)) refuse(field + ".input_schema", "has to be an object");
  body.append("{\"type\":\"function\",\"function\":{\"name\":").append(name.raw());
  if (const Json description = tool["description"]; given(description))
    body.append(",\"description\":").append(need_string(description, field + ".description").raw());
  body.append(",\"parameters\":").append(schema.raw()).append("}}");
  return name.text();
}

void append_choice(const Json& choice, const std::set<std::string>& names, std::string& body) {
  const std::string type = choice["type"].text();
  if (type == "any") {
    body += ",\"tool_choice\":\"required\"";
  } else if (type == "tool") {
    const Json name = need_string(choice["name"], "tool_choice.name");
    if (names.count(name.text()) == 0) refuse("tool_choice.name", "is none of the tools");
    body.append(",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":").append(name.raw());
    body += "}}";
  } else if (type != "auto") {
    refuse("tool_choice.type", "has to be auto, any, tool or none");
  }
  const Json single = choice["disable_parallel_tool_use"];
  if (!given(single)) return;
  if (!single.is(JsonKind::boolean))
    refuse("tool_choice.disable_parallel_tool_use", "has to be true or false");
  if (single.raw() == "true") body += ",\"parallel_tool_calls\":false";
}

}  // namespace

void append_tools(const Json& tools, const Json& choice, std::string& body) {
  if (given(tools) && !tools.is(JsonKind::array)) refuse("tools", "has to be a list");
  if (given(choice) && !choice.is(JsonKind::object)) refuse("tool_choice", "has to be an object");
  std::set<std::string> names;
  std::string list;
  std::size_t at = 0;
  for (Json tool = tools.first(); tool; tool = tool.next(), ++at) {
    if (at > 0) list += ",";
    names.insert(append_tool(tool, "tools." + std::to_string(at), list));
  }
  const std::string type = choice["type"].text();
  if (type == "none") return;
  if (at == 0) {
    if (type == "any" || type == "tool") refuse("tool_choice", "asks for a tool, and there are no tools");
    return;
  }
  body.append(",\"tools\":[").append(list).append("]");
  if (given(choice)) append_choice(choice, names, body);
}

}  // namespace splitproof::request
