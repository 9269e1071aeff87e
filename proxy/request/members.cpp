#include "proxy/request/members.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "proxy/request/refuse.hpp"

namespace splitproof::request {
namespace {

using wire::Json;
using wire::JsonKind;

void need_tools(const std::set<std::string>& names, const std::string& field, const Asked& asked) {
  std::set<std::string_view> known;
  for (const Tool& tool : asked.tools) known.insert(tool.name);
  const bool all =
      std::all_of(names.begin(), names.end(), [&](const std::string& name) { return known.count(name) > 0; });
  if (!all) refuse(field, "is none of the tools that the upstream can be given");
}

}  // namespace

bool read_flag(const Json& body, const std::string& field, bool missing) {
  const Json flag = body[field];
  if (!given(flag)) return missing;
  if (!flag.is(JsonKind::boolean)) refuse(field, "has to be true or false");
  return flag.raw() == "true";
}

std::string read_number(const Json& body, const std::string& field) {
  const Json number = body[field];
  if (!given(number)) return {};
  if (!number.is(JsonKind::number)) refuse(field, "has to be a number");
  return std::string(number.raw());
}

Format read_format(const Json& type, const Json& schema, const std::string& field) {
  const std::string kind = need_string(type, field + ".type").text();
  Format format;
  format.json = kind != "text";
  if (kind == "text" || kind == "json_object") return format;
  if (kind != "json_schema") refuse(field + ".type", "has to be text, json_object or json_schema");
  format.name = inner(need_string(schema["name"], field + ".name"));
  if (format.name.empty()) refuse(field + ".name", "has to name the schema");
  if (!schema["schema"].is(JsonKind::object)) refuse(field + ".schema", "has to be an object");
  format.schema = schema["schema"].raw();
  if (const Json description = schema["description"]; given(description))
    format.description = inner(need_string(description, field + ".description"));
  format.strict = schema["strict"].raw() == "true";
  return format;
}

void DeclaredTools::add(Tool tool, const std::string& field) {
  if (!names_.insert(tool.name).second) refuse(field + ".name", "is that of another tool, too");
  asked_.tools.push_back(std::move(tool));
  need_at_most(limits_.tools, asked_.tools.size(), "tools", "tools", "tools");
}

void DeclaredTools::need_few(const Json& tools, const std::string& field) const {
  need_at_most(limits_.tools, tools, field, "tools", "tools");
}

std::string_view DeclaredTools::name_in(const Json& tool, const std::string& field) const {
  return need_name(tool["name"], field + ".name", limits_);
}

void choose_mode(const std::string& mode, const std::string& field, Asked& asked) {
  if (mode == "none") {
    asked.choice = Choice::none;
  } else if (mode == "required") {
    asked.choice = Choice::any;
  } else if (mode != "auto") {
    refuse(field, "has to be auto, none or required");
  }
}

void choose_one(const std::string& name, const std::string& field, Asked& asked) {
  need_tools({name}, field, asked);
  asked.choice = Choice::one;
  asked.chosen = name;
}

void allow_only(const std::set<std::string>& names, const std::string& field, Asked& asked) {
  need_tools(names, field, asked);
  std::erase_if(asked.tools, [&](const Tool& tool) { return names.count(tool.name) == 0; });
}

void need_tools(const Asked& asked) {
  if (asked.choice == Choice::any && asked.tools.empty())
    refuse("tool_choice", "asks for a tool, and there are none that the upstream can be given");
}

void need_few(const Asked& asked, const Limits& limits, const std::string& messages,
              const std::string& stop) {
  std::size_t calls = 0;
  for (const Turn& turn : asked.turns)
    calls += static_cast<std::size_t>(
        std::count_if(turn.blocks.begin(), turn.blocks.end(),
                      [](const Block& block) { return std::holds_alternative<Call>(block); }));
  need_at_most(limits.history_calls, calls, messages, "tool calls", "history-calls");
  need_at_most(limits.stops, asked.stop.size(), stop, "texts", "stops");
  std::size_t bytes = 0;
  for (const std::string& text : asked.stop) bytes += text.size();
  need_at_most(limits.stop_bytes, bytes, stop, "bytes", "stop-bytes");
}

}  // namespace splitproof::request
