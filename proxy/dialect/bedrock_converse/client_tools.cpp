#include <string>

#include "proxy/dialect/bedrock_converse/client_request_parts.hpp"
#include "proxy/request/members.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::refuse;
using wire::Json;
using wire::JsonKind;

request::Tool converse_tool(const Json& spec, const std::string& field, const request::DeclaredTools& tools) {
  request::Tool read;
  read.name = tools.name_in(spec, field);
  const std::string description = request::text_if_given(spec, "description", field);
  if (!description.empty()) read.description = description;
  const Json schema = spec["inputSchema"]["json"];
  if (!schema.is(JsonKind::object)) refuse(field + ".inputSchema.json", "has to be an object");
  read.schema = schema.raw();
  read.strict = request::given(spec["strict"]) && spec["strict"].raw() == "true";
  return read;
}

}  // namespace

void read_converse_tools(const Json& config, const Limits& limits, request::Asked& asked) {
  if (!given(config)) return;
  request::DeclaredTools declared(limits, asked);
  declared.need_few(config["tools"], "toolConfig.tools");
  for_each_block(config["tools"], "toolConfig.tools", [&](const Json& tool, const std::string& field) {
    const Json spec = tool["toolSpec"];
    if (!given(spec)) refuse(field, "is a tool that the provider runs, which the upstream does not have");
    declared.add(converse_tool(spec, field + ".toolSpec", declared), field + ".toolSpec");
  });
  const Json choice = config["toolChoice"];
  const std::string field = "toolConfig.toolChoice";
  if (choice["any"]) {
    asked.choice = request::Choice::any;
  } else if (choice["tool"]) {
    request::choose_one(std::string(request::text_in(choice["tool"], "name", field + ".tool")),
                        field + ".tool.name", asked);
  } else if (given(choice) && !choice["auto"]) {
    refuse(field, "has to be auto, any or tool");
  }
  request::need_tools(asked);
}

}  // namespace splitproof::proxy::dialect
