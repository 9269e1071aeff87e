#include "harness/observe/functions.hpp"

#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/observe/asked.hpp"

namespace splitproof::observe {

DeclaredFunction declared_function(const nlohmann::json* schema) {
  DeclaredFunction function;
  if (schema == nullptr || !member(*schema, "properties").is_object()) return function;
  for (const auto& property : member(*schema, "properties").items()) {
    const nlohmann::json& type = member(property.value(), "type");
    if (type.is_string()) function.types[property.key()] = type.get<std::string>();
  }
  return function;
}

DeclaredFunctions functions_of(const AskedRequest& asked, const Renaming& renaming) {
  DeclaredFunctions functions;
  if (asked.choice && asked.choice->mode == "none") return functions;  // the client forbids calls
  for (const OfferedTool& tool : asked.tools) {
    if (tool.kind != AskedTool::object || !tool.name) continue;
    const nlohmann::json schema =
        tool.schema != nullptr ? renaming.schema(*tool.name, *tool.schema) : nlohmann::json();
    functions[renaming.name(Towards::upstream, *tool.name)] = declared_function(&schema);
  }
  return functions;
}

}  // namespace splitproof::observe
