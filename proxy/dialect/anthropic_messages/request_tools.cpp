#include <algorithm>
#include <cstddef>

#include "proxy/dialect/anthropic_messages/request_parts.hpp"
#include "proxy/request/refuse.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using wire::Json;
using wire::JsonKind;

request::Tool read_tool(const Json& tool, const std::string& field, const Limits& limits) {
  if (!tool.is(JsonKind::object)) refuse(field, "has to be an object");
  const Json type = tool["type"];
  if (given(type) && type.text() != "custom") {
    refuse(field + ".type", "is a tool that the provider defines or runs, which the upstream does not have");
  }
  request::Tool read;
  read.name = request::need_name(tool["name"], field + ".name", limits);
  const Json schema = tool["input_schema"];
  if (!schema.is(JsonKind::object)) refuse(field + ".input_schema", "has to be an object");
  read.schema = schema.raw();
  if (const Json description = tool["description"]; given(description))
    read.description = inner(need_string(description, field + ".description"));
  return read;
}

// `names`: of the tools, unescaped.
void read_choice(const Json& choice, const std::vector<std::string>& names, request::Asked& asked) {
  const std::string type = choice["type"].text();
  if (type == "any") {
    asked.choice = request::Choice::any;
  } else if (type == "tool") {
    const Json name = need_string(choice["name"], "tool_choice.name");
    if (std::find(names.begin(), names.end(), name.text()) == names.end())
      refuse("tool_choice.name", "is none of the tools");
    asked.choice = request::Choice::one;
    asked.chosen = inner(name);
  } else if (type != "auto") {
    refuse("tool_choice.type", "has to be auto, any, tool or none");
  }
  const Json single = choice["disable_parallel_tool_use"];
  if (!given(single)) return;
  if (!single.is(JsonKind::boolean))
    refuse("tool_choice.disable_parallel_tool_use", "has to be true or false");
  asked.parallel = single.raw() != "true";
}

}  // namespace

void read_tools(const Json& tools, const Json& choice, const Limits& limits, request::Asked& asked) {
  if (given(tools) && !tools.is(JsonKind::array)) refuse("tools", "has to be a list");
  if (given(choice) && !choice.is(JsonKind::object)) refuse("tool_choice", "has to be an object");
  request::need_at_most(limits.tools, tools, "tools", "tools", "tools");
  std::vector<std::string> names;
  for (Json tool = tools.first(); tool; tool = tool.next()) {
    asked.tools.push_back(read_tool(tool, "tools." + std::to_string(names.size()), limits));
    names.push_back(tool["name"].text());
  }
  const std::string type = choice["type"].text();
  if (type == "none") {
    asked.choice = request::Choice::none;
  } else if (names.empty()) {
    if (type == "any" || type == "tool") refuse("tool_choice", "asks for a tool, and there are no tools");
  } else if (given(choice)) {
    read_choice(choice, names, asked);
  }
}

}  // namespace splitproof::proxy::dialect
