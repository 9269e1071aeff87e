#include <set>
#include <string>
#include <utility>

#include "proxy/dialect/openai_responses/request_parts.hpp"
#include "proxy/request/members.hpp"
#include "proxy/request/refuse.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::plain;
using request::refuse;
using request::text_if_given;
using wire::Json;
using wire::JsonKind;

constexpr std::string_view kNoArguments = R"({"type":"object","properties":{}})";

void read_tool(const Json& tool, const std::string& field, std::string_view space,
               request::DeclaredTools& declared) {
  const std::string type = need_string(tool["type"], field + ".type").text();
  if (type == "web_search" || type == "web_search_preview" || type == "tool_search") return;
  if (type == "namespace") {
    const std::string_view name = declared.name_in(tool, field);
    return read_tools(tool["tools"], field + ".tools", name, declared);
  }
  if (type != "function" && type != "custom")
    refuse(field + ".type", "is a tool that the provider runs, which the upstream does not have");
  const std::string own(declared.name_in(tool, field));
  const std::string name = name_in(space, own);
  const std::string description = text_if_given(tool, "description", field);
  const bool custom = type == "custom";
  if (custom || !space.empty())
    declared.add(request::Alias{plain(name), custom, plain(std::string(space)), plain(own)});
  if (custom)
    return declared.add(
        request::custom_tool(name, description, text_if_given(tool["format"], "syntax", field),
                             text_if_given(tool["format"], "definition", field)),
        field);
  request::Tool read;
  read.name = name;
  if (!description.empty()) read.description = description;
  const Json schema = tool["parameters"];
  if (given(schema) && !schema.is(JsonKind::object)) refuse(field + ".parameters", "has to be an object");
  read.schema = given(schema) ? schema.raw() : kNoArguments;
  read.strict = tool["strict"].raw() == "true";
  declared.add(std::move(read), field);
}

}  // namespace

std::string name_in(std::string_view space, std::string_view name) {
  return std::string(space) + (space.empty() ? "" : "__") + std::string(name);
}

void read_tools(const Json& tools, const std::string& field, std::string_view space,
                request::DeclaredTools& declared) {
  if (!given(tools)) return;
  if (!tools.is(JsonKind::array)) refuse(field, "has to be a list");
  declared.need_few(tools, field);
  std::size_t place = 0;
  for (Json tool = tools.first(); tool; tool = tool.next(), ++place)
    read_tool(tool, field + "." + std::to_string(place), space, declared);
}

void read_choice(const Json& choice, request::Asked& asked) {
  if (!given(choice)) return;
  const auto name_of = [](const Json& tool, const std::string& field) {
    return name_in(text_if_given(tool, "namespace", field), text_if_given(tool, "name", field));
  };
  if (choice.is(JsonKind::string)) {
    request::choose_mode(choice.text(), "tool_choice", asked);
  } else if (!choice.is(JsonKind::object)) {
    refuse("tool_choice", "has to be a string or an object");
  } else if (choice["type"].text() == "allowed_tools") {
    request::choose_mode(choice["mode"].text(), "tool_choice.mode", asked);
    std::set<std::string> names;
    for (Json tool = choice["tools"].first(); tool; tool = tool.next())
      names.insert(name_of(tool, "tool_choice.tools"));
    request::allow_only(names, "tool_choice.tools", asked);
  } else {
    request::choose_one(name_of(choice, "tool_choice"), "tool_choice", asked);
  }
  request::need_tools(asked);
}

}  // namespace splitproof::proxy::dialect
