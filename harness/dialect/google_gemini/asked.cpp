#include "harness/dialect/google_gemini/asked.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/dialect/asking.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::AskedBlock;
using observe::AskedKind;

/// Returns a member by its name, or by its name in snake case.
const json& either(const json& object, const char* name, const char* snake) {
  const json& value = member(object, name);
  return value.is_null() ? member(object, snake) : value;
}

/// The same; null if the request has neither.
const json* given_either(const json& object, const char* name, const char* snake) {
  const json& value = either(object, name, snake);
  return value.is_null() ? nullptr : &value;
}

/// Returns the text of a result. Translators put a text into an object with one member.
std::string text_of_response(const json& response) {
  if (response.is_object() && response.size() == 1) {
    for (const char* key : {"result", "output", "content", "error"})
      if (response.contains(key))
        return response[key].is_string() ? response[key].get<std::string>() : written(response[key]);
  }
  return response.is_null() ? std::string() : written(response);
}

/// Reads an image, or other data.
void read_data(const json& raw, AskedBlock& block) {
  const json& data = either(raw, "inlineData", "inline_data");
  const json& file = either(raw, "fileData", "file_data");
  const json& source = data.is_null() ? file : data;
  const std::string type = text_of(either(source, "mimeType", "mime_type"));
  const bool is_image =
      type.starts_with("image/") || (file.is_object() && type.empty());  // any URL without a type
  if (!data.is_null()) block.data = string_at(data, "data");
  if (!is_image) return;
  block.kind = AskedKind::image;
  block.images = {data.is_null() ? text_of(either(file, "fileUri", "file_uri"))
                                 : "data:" + type + ";base64," + block.data};
}

AskedBlock block_of_part(const json& raw, const std::string& at) {
  AskedBlock block{AskedKind::other, at, &raw};
  const json& call = either(raw, "functionCall", "function_call");
  const json& response = either(raw, "functionResponse", "function_response");
  if (call.is_object()) {
    block.kind = AskedKind::call;
    block.id = optional_text(member(call, "id"));
    block.name = optional_text(member(call, "name"));
    block.arguments = call.contains("args") ? written(call["args"]) : "{}";
  } else if (response.is_object()) {
    block.kind = AskedKind::result;
    block.id = optional_text(member(response, "id"));
    block.text = text_of_response(member(response, "response"));
    block.as_object = member(response, "response").is_object();
    block.failed = member(member(response, "response"), "error").is_string();
  } else if (raw.contains("text")) {
    const bool thinks = member(raw, "thought") == true;
    block.kind = thinks ? AskedKind::thinking : AskedKind::text;
    block.text = optional_text(raw["text"]);
    if (thinks) block.seal = text_of(either(raw, "thoughtSignature", "thought_signature"));
  } else {
    read_data(raw, block);
  }
  return block;
}

std::vector<AskedBlock> blocks_of_content(const json& content, const std::string& at) {
  std::vector<AskedBlock> blocks;
  if (content.is_string()) blocks.push_back(block_of_string(content, at));
  for_each_of(member(content, "parts"), at + "/parts", [&blocks](const json& part, const std::string& place) {
    blocks.push_back(part.is_string() ? block_of_string(part, place) : block_of_part(part, place));
  });
  return blocks;
}

/// Gives ids to calls and results that have none.
void connect(observe::AskedRequest& asked) {
  struct OpenCall {
    std::string name;
    std::string id;
  };
  std::vector<OpenCall> open;
  std::size_t number = 0;
  for (observe::AskedTurn& turn : asked.turns) {
    for (AskedBlock& block : turn.blocks) {
      if (block.kind == AskedKind::call) {
        if (!block.id) block.id = "call " + std::to_string(number);
        ++number;
        open.push_back({block.name.value_or(""), *block.id});
      }
      if (block.kind != AskedKind::result) continue;
      const json& response = either(*block.raw, "functionResponse", "function_response");
      const std::string name = string_at(response, "name");
      const auto call = std::find_if(open.begin(), open.end(), [&](const OpenCall& one) {
        return block.id ? one.id == *block.id : one.name == name;
      });
      if (!block.id) block.id = call == open.end() ? "no call of " + name : call->id;
      if (call != open.end()) open.erase(call);
    }
  }
}

void read_tools(const json& body, observe::AskedRequest& asked) {
  for_each_of(member(body, "tools"), "/tools", [&asked](const json& group, const std::string& at) {
    if (!group.is_object()) return;
    const bool is_snake = group.contains("function_declarations");
    const std::string list = is_snake ? "function_declarations" : "functionDeclarations";
    for_each_of(member(group, list.c_str()), at + "/" + list,
                [&asked](const json& tool, const std::string& place) {
                  const char* schema = tool.contains("parametersJsonSchema")     ? "parametersJsonSchema"
                                       : tool.contains("parameters_json_schema") ? "parameters_json_schema"
                                                                                 : "parameters";
                  asked.tools.push_back(offered_tool(observe::AskedTool::object, tool, place, tool, schema));
                });
    for (const auto& [name, value] : group.items()) {
      if (name == list) continue;
      asked.tools.push_back(offered_tool(observe::AskedTool::hosted, group, at, group, "parameters"));
      asked.hosted.push_back({name, name});
    }
  });
}

std::optional<observe::AskedChoice> choice_of_gemini(const json& body) {
  const json& config =
      either(either(body, "toolConfig", "tool_config"), "functionCallingConfig", "function_calling_config");
  if (!config.is_object()) return std::nullopt;
  const std::string mode = string_at(config, "mode");
  observe::AskedChoice choice{"/toolConfig/functionCallingConfig", mode, std::nullopt};
  if (mode == "AUTO" || mode == "VALIDATED" || mode.empty()) choice.mode = "auto";
  if (mode == "NONE") choice.mode = "none";
  if (mode == "ANY") choice.mode = "any";
  const std::vector<std::string> names =
      texts_of(either(config, "allowedFunctionNames", "allowed_function_names"));
  if (names.empty()) return choice;
  if (mode == "ANY" && names.size() == 1) {
    choice.mode = "one";
    choice.name = names.front();
  } else {
    choice.within = std::exchange(choice.mode, "allowed_tools");
    choice.allowed = names;
  }
  return choice;
}

std::optional<observe::AskedFormat> format_of_gemini(const json& config) {
  const json& own = either(config, "responseJsonSchema", "response_json_schema");
  const json& schema = own.is_null() ? either(config, "responseSchema", "response_schema") : own;
  if (schema.is_object()) return observe::AskedFormat{"json_schema", &schema, true};
  if (text_of(either(config, "responseMimeType", "response_mime_type")) == "application/json")
    return observe::AskedFormat{"json_object", nullptr, false};
  return std::nullopt;
}

}  // namespace

bool gemini_takes_id(std::string_view /*id*/) { return false; }

observe::AskedRequest asked_of_gemini(const json& body) {
  observe::AskedRequest asked;
  const bool is_snake = body.is_object() && body.contains("system_instruction");
  const std::string system = is_snake ? "system_instruction" : "systemInstruction";
  asked.system = blocks_of_content(member(body, system.c_str()), "/" + system);
  for_each_of(member(body, "contents"), "/contents", [&asked](const json& content, const std::string& at) {
    observe::AskedTurn turn;
    turn.role = string_at(content, "role");
    if (turn.role == "model") turn.role = "assistant";
    if (turn.role.empty() || turn.role == "function") turn.role = "user";
    turn.at = at;
    turn.raw = &content;
    turn.blocks = blocks_of_content(content, at);
    // Successive contents of one role are one turn.
    const bool goes_on = !asked.turns.empty() && asked.turns.back().role == turn.role;
    turn.group = asked.turns.empty() ? 0 : asked.turns.back().group + (goes_on ? 0 : 1);
    asked.turns.push_back(std::move(turn));
  });
  connect(asked);
  read_tools(body, asked);
  asked.choice = choice_of_gemini(body);
  const json& config = either(body, "generationConfig", "generation_config");
  asked.format = format_of_gemini(config);
  asked.stop = texts_of(either(config, "stopSequences", "stop_sequences"));
  asked.limit = given_either(config, "maxOutputTokens", "max_output_tokens");
  asked.temperature = given_value(config, "temperature");
  asked.top_p = given_either(config, "topP", "top_p");
  asked.stream = true;  // the path decides
  read_settings(config,
                {"topK", "seed", "thinkingConfig", "responseModalities", "candidateCount", "presencePenalty",
                 "frequencyPenalty", "responseLogprobs", "logprobs"},
                asked);
  read_settings(body, {"safetySettings", "cachedContent", "labels"}, asked);
  return asked;
}

}  // namespace splitproof::dialect
