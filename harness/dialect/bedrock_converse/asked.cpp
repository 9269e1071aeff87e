#include "harness/dialect/bedrock_converse/asked.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/dialect/asking.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/client_capabilities.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::AskedBlock;
using observe::AskedKind;

constexpr const char* kCachePoint = "cachePoint";

/// Returns the place of bytes in S3, or "".
std::string place_in_s3(const json& source) { return string_at(member(source, "s3Location"), "uri"); }

std::optional<std::string> converse_image(const json& block) {
  const json& image = member(block, "image");
  if (!image.is_object()) return std::nullopt;
  const json& source = member(image, "source");
  if (!source.contains("bytes")) return place_in_s3(source);
  return "data:image/" + string_at(image, "format") + ";base64," + string_at(source, "bytes");
}

/// Returns the text of a document or a search result, if the request contains it.
std::optional<std::string> text_of_document(const json& block) {
  const json& source = member(member(block, "document"), "source");
  if (const auto text = optional_text(member(source, "text"))) return text;
  const json& found = member(block, "searchResult");
  return joined_text(member(found.is_object() ? found : source, "content"));
}

std::optional<observe::AskedPiece> converse_piece(const json& part) {
  if (part.contains("image")) return std::nullopt;
  if (part.contains("json")) return observe::AskedPiece{written(part["json"]), false, &part};
  if (part.contains("text")) return observe::AskedPiece{optional_text(part["text"]), false, &part};
  return observe::AskedPiece{text_of_document(part), true, &part};
}

void read_result(const json& result, AskedBlock& block) {
  block.kind = AskedKind::result;
  block.id = optional_text(member(result, "toolUseId"));
  block.failed = member(result, "status") == "error";
  const json& content = member(result, "content");
  block.images = images_in(content, converse_image);
  block.pieces = pieces_in(content, converse_piece);
  for (const observe::AskedPiece& piece : block.pieces) {
    if (piece.is_document || !piece.text) continue;
    block.text = block.text.value_or("") + *piece.text;
    block.as_object = block.as_object || piece.raw->contains("json");
  }
}

AskedBlock converse_block(const json& raw, const std::string& at) {
  AskedBlock block{AskedKind::other, at, &raw};
  const json& call = member(raw, "toolUse");
  const json& thought = member(raw, "reasoningContent");
  const json& guarded = member(member(raw, "guardContent"), "text");
  if (raw.contains("text")) {
    block.kind = AskedKind::text;
    block.text = optional_text(raw["text"]);
  } else if (guarded.is_object()) {
    block.kind = AskedKind::text;
    block.text = optional_text(member(guarded, "text"));
  } else if (const auto image = converse_image(raw)) {
    block.kind = AskedKind::image;
    block.images = {*image};
  } else if (call.is_object()) {
    block.kind = AskedKind::call;
    block.id = optional_text(member(call, "toolUseId"));
    block.name = optional_text(member(call, "name"));
    if (call.contains("input")) block.arguments = written(call["input"]);
  } else if (raw.contains("toolResult")) {
    read_result(raw["toolResult"], block);
  } else if (thought.is_object()) {
    const json& text = member(thought, "reasoningText");
    block.kind = AskedKind::thinking;
    block.text = optional_text(member(text, "text"));
    block.seal =
        string_at(text.is_object() ? text : thought, text.is_object() ? "signature" : "redactedContent");
  } else {
    block.document = text_of_document(raw);
    block.data = string_at(member(member(raw, "document"), "source"), "bytes");
  }
  return block;
}

/// Takes a mark of the cache. Returns false for anything else.
bool take_cache_point(const json& raw, const std::string& on, observe::AskedRequest& asked) {
  if (!raw.is_object() || !raw.contains(kCachePoint)) return false;
  asked.marks.push_back({on, &raw[kCachePoint]});
  return true;
}

std::vector<AskedBlock> converse_blocks(const json& content, const std::string& at, const char* where,
                                        observe::AskedRequest& asked) {
  std::vector<AskedBlock> blocks;
  for_each_of(content, at, [&](const json& raw, const std::string& place) {
    std::string on = where;
    if (!blocks.empty()) on += " " + blocks.back().id.value_or(blocks.back().text.value_or(""));
    if (take_cache_point(raw, on, asked)) return;
    blocks.push_back(raw.is_string() ? block_of_string(raw, place) : converse_block(raw, place));
  });
  return blocks;
}

void read_tools(const json& config, observe::AskedRequest& asked) {
  for_each_of(member(config, "tools"), "/toolConfig/tools", [&](const json& tool, const std::string& at) {
    const std::string last = asked.tools.empty() ? "" : asked.tools.back().name.value_or("");
    if (take_cache_point(tool, "tool " + last, asked)) return;
    const json& own = member(tool, "toolSpec");
    const json& hosted = member(tool, "systemTool");
    const bool is_hosted = hosted.is_object();
    const json& declared = is_hosted ? hosted : own;
    asked.tools.push_back(offered_tool(is_hosted ? observe::AskedTool::hosted : observe::AskedTool::object,
                                       tool, at, declared, "inputSchema"));
    asked.tools.back().schema = given_value(member(declared, "inputSchema"), "json");
    if (is_hosted) asked.hosted.push_back({string_at(hosted, "name"), string_at(hosted, "name")});
  });
}

std::optional<observe::AskedChoice> converse_choice(const json& config) {
  const json& choice = member(config, "toolChoice");
  if (!choice.is_object()) return std::nullopt;
  observe::AskedChoice asked{"/toolConfig/toolChoice", "", std::nullopt};
  if (choice.size() == 1) asked.mode = choice.items().begin().key();
  if (asked.mode == "tool") {
    asked.mode = "one";
    asked.name = optional_text(member(choice["tool"], "name"));
  }
  return asked;
}

}  // namespace

bool converse_takes_id(std::string_view id) {
  constexpr std::size_t kMost = 64;
  return !id.empty() && id.size() <= kMost && observe::is_plain_id(id);
}

observe::AskedRequest asked_of_converse(const json& body) {
  observe::AskedRequest asked;
  asked.system = converse_blocks(member(body, "system"), "/system", "system", asked);
  for_each_of(member(body, "messages"), "/messages", [&asked](const json& message, const std::string& at) {
    observe::AskedTurn turn;
    turn.role = string_at(message, "role");
    turn.at = at;
    turn.raw = &message;
    turn.blocks = converse_blocks(member(message, "content"), at + "/content", "message", asked);
    turn.group = asked.turns.size();  // the service refuses two messages of one role in succession
    asked.turns.push_back(std::move(turn));
  });
  const json& tools = member(body, "toolConfig");
  read_tools(tools, asked);
  asked.choice = converse_choice(tools);
  const json& config = member(body, "inferenceConfig");
  asked.stop = texts_of(member(config, "stopSequences"));
  asked.limit = given_value(config, "maxTokens");
  asked.temperature = given_value(config, "temperature");
  asked.top_p = given_value(config, "topP");
  asked.stream = true;  // the path decides
  read_settings(body,
                {"additionalModelRequestFields", "additionalModelResponseFieldPaths", "guardrailConfig",
                 "outputConfig", "performanceConfig", "promptVariables", "requestMetadata", "serviceTier"},
                asked);
  return asked;
}

}  // namespace splitproof::dialect
