#include "harness/dialect/openai_responses/asked.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/dialect/asking.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::AskedBlock;
using observe::AskedKind;

AskedBlock part_of(const json& part, const std::string& at) {
  AskedBlock block{AskedKind::other, at, &part};
  const std::string type = string_at(part, "type");
  if (type == "input_image") block.kind = AskedKind::image;
  if (type == "input_text" || type == "output_text" || type == "text" || type == "refusal") {
    block.kind = AskedKind::text;
    block.text = optional_text(member(part, type == "refusal" ? "refusal" : "text"));
  }
  return block;
}

/// The one block of an item that is no message.
AskedBlock block_of(const json& item, const std::string& type, const std::string& at) {
  AskedBlock block{AskedKind::other, at, &item};
  if (type == "function_call" || type == "custom_tool_call") {
    block.kind = AskedKind::call;
    block.id = optional_text(member(item, "call_id"));
    block.name = optional_text(member(item, "name"));
    block.arguments = optional_text(member(item, type == "function_call" ? "arguments" : "input"));
  } else if (type == "function_call_output" || type == "custom_tool_call_output") {
    block.kind = AskedKind::result;
    block.id = optional_text(member(item, "call_id"));
    block.text = joined_text(member(item, "output"));
  } else if (type == "reasoning") {
    block.kind = AskedKind::thinking;
    block.text = joined_text(member(item, "summary"));
  }
  return block;
}

observe::AskedTurn turn_of(const json& item, const std::string& at) {
  observe::AskedTurn turn;
  turn.at = at;
  turn.raw = &item;
  turn.role = string_at(item, "role");
  const std::string type = string_at(item, "type");
  if (!turn.role.empty() && (type.empty() || type == "message")) {
    const json& content = member(item, "content");
    if (content.is_string()) turn.blocks.push_back(block_of_string(content, at + "/content"));
    for_each_of(content, at + "/content", [&turn](const json& part, const std::string& place) {
      turn.blocks.push_back(part_of(part, place));
    });
    return turn;
  }
  turn.blocks.push_back(block_of(item, type, at));
  turn.role = turn.blocks.back().kind == AskedKind::result ? "tool" : "assistant";
  return turn;
}

}  // namespace

observe::AskedRequest asked_of_responses(const json& body) {
  observe::AskedRequest asked;
  const json& instructions = member(body, "instructions");
  if (instructions.is_string()) asked.system.push_back(block_of_string(instructions, "/instructions"));
  const json& input = member(body, "input");
  if (input.is_string()) {
    observe::AskedTurn turn{"user", "/input", &input, {}, 0};
    turn.blocks.push_back(block_of_string(input, "/input"));
    asked.turns.push_back(std::move(turn));
  }
  for_each_of(input, "/input", [&asked](const json& item, const std::string& at) {
    asked.turns.push_back(turn_of(item, at));
    asked.turns.back().group = asked.turns.size() - 1;
    asked.stateful = asked.stateful || member(item, "type") == "item_reference";
  });
  for_each_of(member(body, "tools"), "/tools", [&asked](const json& tool, const std::string& at) {
    const std::string type = string_at(tool, "type");
    const observe::AskedTool kind = type == "function" ? observe::AskedTool::object
                                    : type == "custom" ? observe::AskedTool::text
                                                       : observe::AskedTool::hosted;
    asked.tools.push_back(offered_tool(kind, tool, at, tool, "parameters"));
  });
  asked.choice = choice_of_openai(body);
  asked.stateful = asked.stateful || !member(body, "previous_response_id").is_null() ||
                   !member(body, "conversation").is_null();
  return asked;
}

}  // namespace splitproof::dialect
