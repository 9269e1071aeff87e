#include <set>
#include <string>
#include <utility>

#include "proxy/dialect/openai_chat/client_request_parts.hpp"
#include "proxy/request/members.hpp"
#include "proxy/request/refuse.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using request::text_if_given;
using wire::Json;
using wire::JsonKind;

constexpr std::string_view kNoArguments = R"({"type":"object","properties":{}})";

void read_tool(const Json& tool, const std::string& field, request::DeclaredTools& tools) {
  const std::string type = need_string(tool["type"], field + ".type").text();
  if (type != "function" && type != "custom") refuse(field + ".type", "has to be function or custom");
  const std::string about_field = field + "." + type;
  const Json about = tool[type];
  const std::string name(tools.name_in(about, about_field));
  const std::string description = text_if_given(about, "description", about_field);
  if (type == "custom") {
    const Json grammar = about["format"]["grammar"];
    tools.add(request::Alias{request::plain(name), true, {}, request::plain(name)});
    return tools.add(request::custom_tool(name, description, text_if_given(grammar, "syntax", about_field),
                                          text_if_given(grammar, "definition", about_field)),
                     about_field);
  }
  request::Tool read;
  read.name = name;
  if (!description.empty()) read.description = description;
  const Json schema = about["parameters"];
  if (given(schema) && !schema.is(JsonKind::object))
    refuse(about_field + ".parameters", "has to be an object");
  read.schema = given(schema) ? schema.raw() : kNoArguments;
  read.strict = about["strict"].raw() == "true";
  tools.add(std::move(read), about_field);
}

// Returns the name in a choice of one tool, escaped.
std::string name_in(const Json& choice, const std::string& field) {
  const std::string type = choice["type"].text() == "custom" ? "custom" : "function";
  return std::string(inner(need_string(choice[type]["name"], field + "." + type + ".name")));
}

}  // namespace

void read_chat_tools(const Json& tools, const Limits& limits, request::Asked& asked) {
  if (!given(tools)) return;
  if (!tools.is(JsonKind::array)) refuse("tools", "has to be a list");
  request::DeclaredTools declared(limits, asked);
  declared.need_few(tools, "tools");
  std::size_t place = 0;
  for (Json tool = tools.first(); tool; tool = tool.next(), ++place)
    read_tool(tool, "tools." + std::to_string(place), declared);
}

void read_chat_choice(const Json& choice, request::Asked& asked) {
  if (!given(choice)) return;
  if (choice.is(JsonKind::string)) {
    request::choose_mode(choice.text(), "tool_choice", asked);
  } else if (choice["type"].text() == "allowed_tools") {
    const Json allowed = choice["allowed_tools"];
    request::choose_mode(allowed["mode"].text(), "tool_choice.allowed_tools.mode", asked);
    std::set<std::string> names;
    for (Json tool = allowed["tools"].first(); tool; tool = tool.next())
      names.insert(name_in(tool, "tool_choice.allowed_tools.tools"));
    request::allow_only(names, "tool_choice.allowed_tools.tools", asked);
  } else {
    request::choose_one(name_in(choice, "tool_choice"), "tool_choice", asked);
  }
  request::need_tools(asked);
}

}  // namespace splitproof::proxy::dialect
