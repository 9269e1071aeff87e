#include "harness/dialect/openai_chat/asked.hpp"

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

AskedKind kind_of_part(const std::string& type) {
  if (type == "text" || type == "refusal") return AskedKind::text;
  if (type == "image_url") return AskedKind::image;
  return AskedKind::other;
}

std::optional<std::string> chat_image_source(const json& part) {
  if (string_at(part, "type") != "image_url") return std::nullopt;
  const json& image = member(part, "image_url");
  return image.is_string() ? image.get<std::string>() : string_at(image, "url");
}

std::optional<observe::AskedPiece> chat_piece(const json& part) {
  if (string_at(part, "type") == "image_url") return std::nullopt;
  return observe::AskedPiece{optional_text(member(part, "text")), false, &part};
}

void add_text(observe::AskedTurn& turn, const json& message, const char* name, AskedKind kind) {
  const json& said = member(message, name);
  if (said.is_string()) turn.blocks.push_back(block_of_string(said, turn.at + "/" + name, kind));
}

void add_call(observe::AskedTurn& turn, const json& call, const std::string& at) {
  AskedBlock block{AskedKind::call, at, &call};
  block.id = optional_text(member(call, "id"));
  const bool custom = call.contains("custom");
  const json& called = member(call, custom ? "custom" : "function");
  block.name = optional_text(member(called, "name"));
  block.arguments = optional_text(member(called, custom ? "input" : "arguments"));
  block.takes_text = custom;
  turn.blocks.push_back(std::move(block));
}

void add_content(observe::AskedTurn& turn, const json& message) {
  const json& content = member(message, "content");
  if (turn.role == "tool") {
    AskedBlock block{AskedKind::result, turn.at, &message};
    block.id = optional_text(member(message, "tool_call_id"));
    block.text = joined_text(content);
    block.images = images_in(content, chat_image_source);
    block.pieces = pieces_in(content, chat_piece);
    turn.blocks.push_back(std::move(block));
    return;
  }
  add_text(turn, message, "content", AskedKind::text);
  for_each_of(content, turn.at + "/content", [&turn](const json& part, const std::string& at) {
    const std::string type = string_at(part, "type");
    AskedBlock block{kind_of_part(type), at, &part};
    if (block.kind == AskedKind::text) block.text = optional_text(member(part, type.c_str()));
    if (auto source = chat_image_source(part)) block.images = {*std::move(source)};
    if (type == "file") block.data = base64_of(string_at(member(part, "file"), "file_data"));
    if (type == "input_audio") block.data = string_at(member(part, "input_audio"), "data");
    turn.blocks.push_back(std::move(block));
  });
}

void add_tool(observe::AskedRequest& asked, const json& tool, const std::string& at) {
  const std::string type = string_at(tool, "type");
  const bool custom = type == "custom";
  const observe::AskedTool kind = custom               ? observe::AskedTool::text
                                  : type == "function" ? observe::AskedTool::object
                                                       : observe::AskedTool::hosted;
  const json& declared = member(tool, custom ? "custom" : "function");
  asked.tools.push_back(offered_tool(kind, tool, at, declared, "parameters"));
  read_words_on(declared, {"strict"}, asked.tools.back());
}

}  // namespace

observe::AskedRequest asked_of_chat(const json& body) {
  observe::AskedRequest asked;
  for_each_of(member(body, "messages"), "/messages", [&asked](const json& message, const std::string& at) {
    observe::AskedTurn turn;
    turn.role = string_at(message, "role");
    turn.at = at;
    turn.raw = &message;
    const bool goes_on = !asked.turns.empty() && turn.role == "tool" && asked.turns.back().role == "tool";
    turn.group = asked.turns.empty() ? 0 : asked.turns.back().group + (goes_on ? 0 : 1);
    add_text(turn, message, "reasoning_content", AskedKind::thinking);
    add_content(turn, message);
    add_text(turn, message, "refusal", AskedKind::text);
    for_each_of(member(message, "tool_calls"), at + "/tool_calls",
                [&turn](const json& call, const std::string& place) { add_call(turn, call, place); });
    asked.turns.push_back(std::move(turn));
  });
  for_each_of(member(body, "tools"), "/tools",
              [&asked](const json& tool, const std::string& at) { add_tool(asked, tool, at); });
  asked.choice = choice_of_openai(body);
  asked.parallel = parallel_of_openai(body);
  const json& format = member(body, "response_format");
  asked.format = format_of(format, member(format, "json_schema"));
  asked.stop = texts_of(member(body, "stop"));
  asked.limit = given_value(body, "max_completion_tokens");
  if (asked.limit == nullptr) asked.limit = given_value(body, "max_tokens");
  read_sampling(body, asked);
  asked.effort = given_value(body, "reasoning_effort");
  read_settings(body,
                {"n", "seed", "store", "logprobs", "top_logprobs", "logit_bias", "presence_penalty",
                 "frequency_penalty", "reasoning_effort", "verbosity", "modalities", "audio", "prediction",
                 "web_search_options"},
                asked);
  read_hosted(asked);
  if (const json* options = given_value(body, "web_search_options"); options != nullptr)
    asked.hosted.push_back({"web_search", "web_search_options"});
  read_marks(asked);
  return asked;
}

}  // namespace splitproof::dialect
