#include "harness/dialect/anthropic_messages/asked.hpp"

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

std::optional<std::string> image_source(const json& part) {
  if (string_at(part, "type") != "image") return std::nullopt;
  const json& source = member(part, "source");
  const std::string type = string_at(source, "type");
  if (type == "base64")
    return "data:" + string_at(source, "media_type") + ";base64," + string_at(source, "data");
  return string_at(source, type == "url" ? "url" : "file_id");
}

/// Returns the text of a document or a search result, joined if it has parts.
std::optional<std::string> document_text(const json& raw) {
  const std::string type = string_at(raw, "type");
  if (type == "search_result") return joined_text(member(raw, "content"));
  const json& source = member(raw, "source");
  if (type != "document") return std::nullopt;
  if (string_at(source, "type") == "text") return optional_text(member(source, "data"));
  return string_at(source, "type") == "content" ? joined_text(member(source, "content")) : std::nullopt;
}

std::optional<observe::AskedPiece> messages_piece(const json& part) {
  const std::string type = string_at(part, "type");
  if (type == "image") return std::nullopt;
  if (type == "text") return observe::AskedPiece{optional_text(member(part, "text")), false, &part};
  return observe::AskedPiece{document_text(part), true, &part};
}

AskedBlock block_of(const json& raw, const std::string& at) {
  AskedBlock block{AskedKind::other, at, &raw};
  const std::string type = string_at(raw, "type");
  if (type == "text") {
    block.kind = AskedKind::text;
    block.text = optional_text(member(raw, "text"));
  } else if (type == "thinking" || type == "redacted_thinking") {
    block.kind = AskedKind::thinking;
    block.text = optional_text(member(raw, "thinking"));
    block.seal = string_at(raw, type == "thinking" ? "signature" : "data");
  } else if (type == "image") {
    block.kind = AskedKind::image;
    block.images = {*image_source(raw)};
  } else if (type == "tool_use") {
    block.kind = AskedKind::call;
    block.id = optional_text(member(raw, "id"));
    block.name = optional_text(member(raw, "name"));
    if (raw.contains("input")) block.arguments = written(raw["input"]);
  } else if (type == "tool_result") {
    block.kind = AskedKind::result;
    block.id = optional_text(member(raw, "tool_use_id"));
    block.text = joined_text(member(raw, "content"));
    block.failed = member(raw, "is_error") == true;
    block.images = images_in(member(raw, "content"), image_source);
    block.pieces = pieces_in(member(raw, "content"), messages_piece);
  } else {
    block.document = document_text(raw);
    if (string_at(member(raw, "source"), "type") == "base64")
      block.data = string_at(member(raw, "source"), "data");
  }
  return block;
}

std::vector<AskedBlock> blocks_of(const json& content, const std::string& at) {
  std::vector<AskedBlock> blocks;
  if (content.is_string()) blocks.push_back(block_of_string(content, at));
  for_each_of(content, at, [&blocks](const json& raw, const std::string& place) {
    blocks.push_back(raw.is_string() ? block_of_string(raw, place) : block_of(raw, place));
  });
  return blocks;
}

std::optional<observe::AskedChoice> choice_of(const json& body) {
  const json& choice = member(body, "tool_choice");
  if (choice.is_null()) return std::nullopt;
  observe::AskedChoice asked{"/tool_choice", string_at(choice, "type"), std::nullopt};
  if (asked.mode == "tool") {
    asked.mode = "one";
    asked.name = optional_text(member(choice, "name"));
  }
  return asked;
}

}  // namespace

observe::AskedRequest asked_of_anthropic(const json& body) {
  observe::AskedRequest asked;
  asked.system = blocks_of(member(body, "system"), "/system");
  for_each_of(member(body, "messages"), "/messages", [&asked](const json& message, const std::string& at) {
    observe::AskedTurn turn;
    turn.role = string_at(message, "role");
    turn.at = at;
    turn.raw = &message;
    turn.blocks = blocks_of(member(message, "content"), at + "/content");
    // Anthropic's servers join successive messages of one role to one turn.
    const bool goes_on = !asked.turns.empty() && asked.turns.back().role == turn.role;
    turn.group = asked.turns.empty() ? 0 : asked.turns.back().group + (goes_on ? 0 : 1);
    asked.turns.push_back(std::move(turn));
  });
  for_each_of(member(body, "tools"), "/tools", [&asked](const json& tool, const std::string& at) {
    const json& type = member(tool, "type");
    const bool own = type.is_null() || type == "custom";
    asked.tools.push_back(offered_tool(own ? observe::AskedTool::object : observe::AskedTool::hosted, tool,
                                       at, tool, "input_schema"));
    if (own)
      read_words_on(tool,
                    {"strict", "defer_loading", "allowed_callers", "input_examples", "eager_input_streaming"},
                    asked.tools.back());
  });
  asked.choice = choice_of(body);
  asked.stateful = !member(body, "thread").is_null();
  if (member(member(body, "tool_choice"), "disable_parallel_tool_use") == true) asked.parallel = false;
  const json& format = member(member(body, "output_config"), "format");
  asked.format = format_of(format, format);
  asked.stop = texts_of(member(body, "stop_sequences"));
  asked.limit = given_value(body, "max_tokens");
  read_sampling(body, asked);
  const json& budget = member(member(body, "thinking"), "budget_tokens");
  asked.thinks_beyond =
      budget.is_number() && asked.limit != nullptr && asked.limit->is_number() && budget >= *asked.limit;
  if (const json* effort = given_value(member(body, "output_config"), "effort"))
    asked.settings.push_back({"output_config.effort", effort});
  read_settings(body, {"top_k", "thinking", "mcp_servers", "container", "context_management"}, asked);
  read_hosted(asked);
  if (!member(body, "mcp_servers").empty()) asked.hosted.push_back({"mcp", "mcp_servers"});
  read_marks(asked);
  return asked;
}

}  // namespace splitproof::dialect
