#include "proxy/dialect/bedrock_converse/client_request.hpp"

#include <string>
#include <vector>

#include "proxy/dialect/bedrock_converse/client_request_parts.hpp"
#include "proxy/request/members.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using wire::Json;
using wire::JsonKind;

constexpr const char* kInference = "inferenceConfig";

std::string inference_field(const std::string& member) { return std::string(kInference) + "." + member; }

// Without these fields the answer would be a different one.
void refuse_untranslatable(const Json& body) {
  const Json members = body["additionalModelRequestFields"];
  for (Json key = members.first_key(); key; key = key.next()) {
    const std::string name = key.text();
    // A model that does not think refuses an effort, so the client's wish to think is no reason to fail.
    if (name != "thinking" && name != "output_config" && name != "anthropic_beta" &&
        name != "reasoning_config")
      refuse("additionalModelRequestFields." + name, "has no counterpart in the upstream's protocol");
  }
  if (given(body["outputConfig"]["textFormat"]))
    refuse("outputConfig.textFormat", "has no counterpart in the upstream's protocol");
  if (given(body["promptVariables"]))
    refuse("promptVariables", "refers to a prompt that only the provider has");
}

std::string read_inference_number(const Json& config, const std::string& member) {
  const Json number = config[member];
  if (!given(number)) return {};
  if (!number.is(JsonKind::number)) refuse(inference_field(member), "has to be a number");
  return std::string(number.raw());
}

std::string read_max_tokens(const Json& config) {
  const Json limit = config["maxTokens"];
  if (!given(limit)) return {};
  if (limit.count().value_or(0) == 0)
    refuse(inference_field("maxTokens"), "has to be a whole number above 0");
  return std::string(limit.raw());
}

std::vector<std::string> read_stop(const Json& config) {
  const std::string field = inference_field("stopSequences");
  const Json list = config["stopSequences"];
  if (given(list) && !list.is(JsonKind::array)) refuse(field, "has to be a list of strings");
  std::vector<std::string> texts;
  for (Json text = list.first(); text; text = text.next())
    texts.emplace_back(inner(need_string(text, request::at(field, texts.size()))));
  return texts;
}

request::Asked read_converse(const Json& body, const Limits& limits) {
  if (!body.is(JsonKind::object)) throw request::Refusal{"the request has to be a JSON object"};
  refuse_untranslatable(body);
  const Json config = body[kInference];
  if (given(config) && !config.is(JsonKind::object)) refuse(kInference, "has to be an object");
  request::Asked asked;
  if (given(body["model"])) asked.model = request::need_name(body["model"], "model", limits);
  asked.stream = request::read_flag(body, "stream", false);
  request::Conversation conversation;
  read_converse_messages(body, limits, conversation);
  conversation.move_to(asked);
  if (asked.turns.empty()) refuse("messages", "has no message");
  read_converse_tools(body["toolConfig"], limits, asked);
  asked.max_tokens = read_max_tokens(config);
  asked.temperature = read_inference_number(config, "temperature");
  asked.top_p = read_inference_number(config, "topP");
  asked.stop = read_stop(config);
  request::need_few(asked, limits, "messages", inference_field("stopSequences"));
  return asked;
}

}  // namespace

tl::expected<request::Asked, request::Refusal> read_converse_request(std::string_view body,
                                                                     const Limits& limits) {
  return request::read_document(body, limits, [&](const Json& root) { return read_converse(root, limits); });
}

}  // namespace splitproof::proxy::dialect
