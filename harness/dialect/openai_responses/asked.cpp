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

std::optional<std::string> responses_image_source(const json& part) {
  if (string_at(part, "type") != "input_image") return std::nullopt;
  const std::string url = string_at(part, "image_url");
  return url.empty() ? string_at(part, "file_id") : url;
}

std::optional<observe::AskedPiece> responses_piece(const json& part) {
  if (string_at(part, "type") == "input_image") return std::nullopt;
  return observe::AskedPiece{optional_text(member(part, "text")), false, &part};
}

AskedBlock part_of(const json& part, const std::string& at) {
  AskedBlock block{AskedKind::other, at, &part};
  const std::string type = string_at(part, "type");
  if (auto source = responses_image_source(part)) {
    block.kind = AskedKind::image;
    block.images = {*std::move(source)};
  }
  if (type == "input_text" || type == "output_text" || type == "text" || type == "refusal") {
    block.kind = AskedKind::text;
    block.text = optional_text(member(part, type == "refusal" ? "refusal" : "text"));
  }
  if (type == "input_file") block.data = base64_of(string_at(part, "file_data"));
  return block;
}

/// Returns the name of a tool, with its namespace if it has one.
std::optional<std::string> name_in(const std::string& space, std::optional<std::string> name) {
  return space.empty() || !name ? name : space + "__" + *name;
}

/// True if an item refers to reasoning. OpenAI's ids begin with the item's kind.
bool refers_to_reasoning(const json& item) {
  return member(item, "type") == "item_reference" && string_at(item, "id").starts_with("rs_");
}

/// Returns the only block of an item that is not a message.
AskedBlock block_of(const json& item, const std::string& type, const std::string& at) {
  AskedBlock block{AskedKind::other, at, &item};
  if (type == "function_call" || type == "custom_tool_call") {
    block.kind = AskedKind::call;
    block.id = optional_text(member(item, "call_id"));
    block.name = name_in(string_at(item, "namespace"), optional_text(member(item, "name")));
    block.arguments = optional_text(member(item, type == "function_call" ? "arguments" : "input"));
    block.takes_text = type == "custom_tool_call";
  } else if (type == "function_call_output" || type == "custom_tool_call_output") {
    block.kind = AskedKind::result;
    block.id = optional_text(member(item, "call_id"));
    block.text = joined_text(member(item, "output"));
    block.images = images_in(member(item, "output"), responses_image_source);
    block.pieces = pieces_in(member(item, "output"), responses_piece);
  } else if (type == "reasoning") {
    block.kind = AskedKind::thinking;
    block.text = joined_text(member(item, "summary"));
    block.seal = string_at(item, "encrypted_content");
  } else if (refers_to_reasoning(item)) {
    block.kind = AskedKind::thinking;
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

void add_tools(const json& tools, const std::string& at, const std::string& space,
               observe::AskedRequest& asked) {
  for_each_of(tools, at, [&](const json& tool, const std::string& place) {
    const std::string type = string_at(tool, "type");
    if (type == "namespace")
      return add_tools(member(tool, "tools"), place + "/tools", string_at(tool, "name"), asked);
    const observe::AskedTool kind = type == "function" ? observe::AskedTool::object
                                    : type == "custom" ? observe::AskedTool::text
                                                       : observe::AskedTool::hosted;
    asked.tools.push_back(offered_tool(kind, tool, place, tool, "parameters"));
    observe::OfferedTool& offered = asked.tools.back();
    offered.name = name_in(space, offered.name);
    const json* strict = given_value(tool, "strict");  // these servers treat functions as strict by default
    offered.strict =
        strict != nullptr && strict->is_boolean() ? std::optional(strict->get<bool>()) : std::nullopt;
    if (strict != nullptr) offered.settings.push_back({"strict", strict});
    read_words_on(tool, {"defer_loading"}, offered);
  });
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
    if (member(item, "type") != "item_reference") return;
    asked.recalls_thinking = (asked.recalls_thinking || !asked.stateful) && refers_to_reasoning(item);
    asked.stateful = true;
  });
  add_tools(member(body, "tools"), "/tools", "", asked);
  asked.choice = choice_of_openai(body);
  if (!member(body, "previous_response_id").is_null() || !member(body, "conversation").is_null()) {
    asked.stateful = true;
    asked.recalls_thinking = false;
  }
  asked.parallel = parallel_of_openai(body);
  const json& format = member(member(body, "text"), "format");
  asked.format = format_of(format, format);
  asked.limit = given_value(body, "max_output_tokens");
  read_sampling(body, asked);
  asked.effort = given_value(member(body, "reasoning"), "effort");
  read_settings(body,
                {"store", "include", "reasoning", "truncation", "top_logprobs", "background", "prompt",
                 "max_tool_calls"},
                asked);
  if (const json* verbosity = given_value(member(body, "text"), "verbosity"))
    asked.settings.push_back({"text.verbosity", verbosity});
  // Codex offers these in every request.
  read_hosted(asked, {"web_search", "web_search_preview", "tool_search"});
  return asked;
}

}  // namespace splitproof::dialect
