#include "proxy/dialect/openai_chat/client_request.hpp"

#include <string>

#include "proxy/dialect/openai_chat/client_request_parts.hpp"
#include "proxy/request/members.hpp"
#include "proxy/request/refuse.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::Refusal;
using request::refuse;
using wire::Json;
using wire::JsonKind;

// Without these fields the answer would be a different one.
void refuse_untranslatable(const Json& body) {
  if (given(body["n"]) && body["n"].raw() != "1")
    refuse("n", "has to be 1: the upstream is asked for one answer");
  for (const char* field : {"functions", "function_call"}) {
    if (given(body[field])) refuse(field, "is no longer translated: use tools");
  }
  for (const char* field : {"audio", "web_search_options"}) {
    if (given(body[field])) refuse(field, "has no counterpart in the upstream's protocol");
  }
  const Json modalities = body["modalities"];
  for (Json kind = modalities.first(); kind; kind = kind.next()) {
    if (kind.text() != "text") refuse("modalities", "can be text alone");
  }
}

std::string read_max_tokens(const Json& body) {
  for (const char* field : {"max_completion_tokens", "max_tokens"}) {
    const Json limit = body[field];
    if (!given(limit)) continue;
    if (limit.count().value_or(0) == 0) refuse(field, "has to be a whole number above 0");
    return std::string(limit.raw());
  }
  return {};
}

std::vector<std::string> read_stop(const Json& stop) {
  std::vector<std::string> texts;
  if (stop.is(JsonKind::string)) texts.emplace_back(inner(stop));
  for (Json text = stop.first(); text; text = text.next())
    texts.emplace_back(inner(need_string(text, "stop." + std::to_string(texts.size()))));
  return texts;
}

request::Asked read(const Json& body, const Limits& limits) {
  if (!body.is(JsonKind::object)) throw Refusal{"the request has to be a JSON object"};
  refuse_untranslatable(body);
  request::Asked asked;
  asked.stream = request::read_flag(body, "stream", false);
  asked.usage = !asked.stream || body["stream_options"]["include_usage"].raw() == "true";
  asked.model = request::need_name(body["model"], "model", limits);
  if (asked.model.empty()) refuse("model", "has to name a model");
  asked.max_tokens = read_max_tokens(body);
  request::Conversation conversation;
  read_chat_messages(body["messages"], limits, conversation);
  conversation.move_to(asked);
  read_chat_tools(body["tools"], limits, asked);
  read_chat_choice(body["tool_choice"], asked);
  asked.parallel = request::read_flag(body, "parallel_tool_calls", true);
  asked.temperature = request::read_number(body, "temperature");
  asked.top_p = request::read_number(body, "top_p");
  asked.stop = read_stop(body["stop"]);
  if (const Json effort = body["reasoning_effort"]; given(effort))
    asked.effort = inner(need_string(effort, "reasoning_effort"));
  if (const Json format = body["response_format"]; given(format)) {
    const Json schema = format["json_schema"];
    asked.format = request::read_format(format["type"], schema ? schema : format, "response_format");
  }
  request::need_few(asked, limits, "messages", "stop");
  return asked;
}

}  // namespace

tl::expected<request::Asked, Refusal> read_chat_request(std::string_view body, const Limits& limits) {
  return request::read_document(body, limits, [&](const Json& root) { return read(root, limits); });
}

}  // namespace splitproof::proxy::dialect
