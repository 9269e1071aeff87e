#include "proxy/dialect/openai_responses/request.hpp"

#include <string>
#include <utility>

#include "proxy/dialect/openai_responses/echo.hpp"
#include "proxy/dialect/openai_responses/request_parts.hpp"
#include "proxy/request/members.hpp"
#include "proxy/request/refuse.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::read_flag;
using request::read_number;
using request::Refusal;
using request::refuse;
using wire::Json;
using wire::JsonKind;

std::string read_max_tokens(const Json& limit) {
  if (!given(limit)) return {};
  if (limit.count().value_or(0) == 0) refuse("max_output_tokens", "has to be a whole number above 0");
  return std::string(limit.raw());
}

// Without these fields the answer would be a different one.
void refuse_untranslatable(const Json& body) {
  for (const char* field : {"previous_response_id", "conversation"}) {
    if (given(body[field])) refuse(field, "is not kept here: send all items of the conversation as input");
  }
  if (given(body["prompt"])) refuse("prompt", "has no counterpart in the upstream's protocol");
  if (read_flag(body, "background", false))
    refuse("background", "has no counterpart in the upstream's protocol");
}

request::Asked read(const Json& body, const Limits& limits) {
  if (!body.is(JsonKind::object)) throw Refusal{"the request has to be a JSON object"};
  refuse_untranslatable(body);
  request::Asked asked;
  asked.stream = read_flag(body, "stream", false);
  asked.model = request::need_name(body["model"], "model", limits);
  if (asked.model.empty()) refuse("model", "has to name a model");
  asked.max_tokens = read_max_tokens(body["max_output_tokens"]);
  request::Conversation conversation;
  if (const Json instructions = body["instructions"]; given(instructions))
    conversation.add_system({{std::string(inner(need_string(instructions, "instructions")))}});
  request::DeclaredTools declared(limits, asked);
  read_tools(body["tools"], "tools", {}, declared);
  read_input(body["input"], limits, conversation, declared);
  conversation.move_to(asked);
  read_choice(body["tool_choice"], asked);
  asked.parallel = read_flag(body, "parallel_tool_calls", true);
  asked.temperature = read_number(body, "temperature");
  asked.top_p = read_number(body, "top_p");
  if (const Json effort = body["reasoning"]["effort"]; given(effort))
    asked.effort = inner(need_string(effort, "reasoning.effort"));
  if (const Json format = body["text"]["format"]; given(format))
    asked.format = request::read_format(format["type"], format, "text.format");
  request::need_few(asked, limits, "input", "stop");
  asked.echo = responses_echo(body, limits.echo_bytes);
  return asked;
}

}  // namespace

tl::expected<request::Asked, Refusal> read_responses_request(std::string_view body, const Limits& limits) {
  return request::read_document(body, limits, [&](const Json& root) { return read(root, limits); });
}

}  // namespace splitproof::proxy::dialect
