#include <set>
#include <string>
#include <utility>

#include "proxy/dialect/google_gemini/client_request_parts.hpp"
#include "proxy/request/members.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using wire::Json;
using wire::JsonKind;

constexpr std::string_view kNoParameters = R"({"type":"object","properties":{}})";

request::Tool read_declaration(const Json& declaration, const std::string& field,
                               const request::DeclaredTools& tools) {
  request::Tool read;
  read.name = tools.name_in(declaration, field);
  const std::string description = request::text_if_given(declaration, "description", field);
  if (!description.empty()) read.description = description;
  const Json own = gemini_member(declaration, "parametersJsonSchema");
  const Json schema = given(own) ? own : declaration["parameters"];
  if (given(schema) && !schema.is(JsonKind::object))
    refuse(field + (given(own) ? ".parametersJsonSchema" : ".parameters"), "has to be an object");
  read.schema = !given(schema) ? std::string(kNoParameters)
                : given(own)   ? std::string(own.raw())
                               : json_schema_of(schema);
  return read;
}

void read_tool(const Json& tool, const std::string& field, request::DeclaredTools& tools) {
  for (Json key = tool.first_key(); key; key = key.next()) {
    const std::string name = key.text();
    const bool declares = name == "functionDeclarations" || name == "function_declarations";
    if (!declares && given(key.value()))
      refuse(field + "." + name, "is a tool that the provider runs, which the upstream does not have");
  }
  for_each_element(gemini_member(tool, "functionDeclarations"), field + ".functionDeclarations",
                   [&](const Json& declaration, const std::string& place) {
                     tools.add(read_declaration(declaration, place, tools), place);
                   });
}

// `VALIDATED` is `AUTO` with arguments that fit their schema.
void read_choice(const Json& config, request::Asked& asked) {
  const std::string field = "toolConfig.functionCallingConfig";
  const Json said = config["mode"];
  const std::string mode = given(said) ? wire::lowered(need_string(said, field + ".mode").text()) : "auto";
  const std::string names_field = field + ".allowedFunctionNames";
  std::set<std::string> names;
  const Json allowed = gemini_member(config, "allowedFunctionNames");
  for (Json name = allowed.first(); name; name = name.next())
    names.emplace(inner(need_string(name, names_field)));
  if (mode == "none") {
    asked.choice = request::Choice::none;
    return;
  }
  if (mode == "any" && names.size() == 1) return request::choose_one(*names.begin(), names_field, asked);
  if (mode == "any") {
    asked.choice = request::Choice::any;
  } else if (mode != "auto" && mode != "validated" && mode != "mode_unspecified") {
    refuse(field + ".mode", "has to be AUTO, ANY, NONE or VALIDATED");
  }
  if (!names.empty()) request::allow_only(names, names_field, asked);
}

}  // namespace

void read_gemini_tools(const Json& body, const Limits& limits, request::Asked& asked) {
  request::DeclaredTools declared(limits, asked);
  for_each_element(body["tools"], "tools",
                   [&](const Json& tool, const std::string& field) { read_tool(tool, field, declared); });
  const Json config = gemini_member(gemini_member(body, "toolConfig"), "functionCallingConfig");
  if (given(config)) read_choice(config, asked);
  request::need_tools(asked);
}

}  // namespace splitproof::proxy::dialect
