#include "proxy/request/chat_request.hpp"

#include "proxy/request/chat_messages.hpp"
#include "proxy/request/chat_tools.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/half_pairs.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::request {
namespace {

using wire::Json;
using wire::JsonKind;

void append_model(const Json& model, const Options& options, std::string& body) {
  const std::string asked = need_string(model, "model").text();
  if (asked.empty()) refuse("model", "has to name a model");
  const auto mapped = options.models.find(asked);
  if (!options.model.empty()) {
    wire::append_quoted(body, options.model);
  } else if (mapped != options.models.end()) {
    wire::append_quoted(body, mapped->second);
  } else {
    body += model.raw();
  }
}

void append_max_tokens(const Json& max_tokens, const Options& options, std::string& body) {
  if (!max_tokens) refuse("max_tokens", "field required");
  if (max_tokens.count().value_or(0) == 0) refuse("max_tokens", "has to be a whole number above 0");
  body += options.max_tokens_field == MaxTokensField::max_tokens ? ",\"max_tokens\":"
                                                                 : ",\"max_completion_tokens\":";
  body += max_tokens.raw();
}

void append_number(const Json& request, const std::string& field, std::string& body) {
  const Json number = request[field];
  if (!given(number)) return;
  if (!number.is(JsonKind::number)) refuse(field, "has to be a number");
  body.append(",\"").append(field).append("\":").append(number.raw());
}

void append_stop(const Json& sequences, ChatRequest& chat) {
  if (!given(sequences)) return;
  if (!sequences.is(JsonKind::array)) refuse("stop_sequences", "has to be a list of strings");
  std::vector<std::string>& texts = chat.stop_sequences;
  for (Json sequence = sequences.first(); sequence; sequence = sequence.next())
    texts.push_back(
        wire::whole(need_string(sequence, "stop_sequences." + std::to_string(texts.size())).text()));
  if (!texts.empty()) chat.body.append(",\"stop\":").append(sequences.raw());
}

bool wants_stream(const Json& stream) {
  if (!given(stream)) return false;
  if (!stream.is(JsonKind::boolean)) refuse("stream", "has to be true or false");
  return stream.raw() == "true";
}

// Leaving these out would change what is answered.
void refuse_untranslatable(const Json& request) {
  for (const char* field : {"top_k", "container", "output_format"}) {
    if (given(request[field])) refuse(field, "has no counterpart in the upstream's protocol");
  }
  const Json servers = request["mcp_servers"];
  if (given(servers) && !servers.empty())
    refuse("mcp_servers", "has no counterpart in the upstream's protocol");
}

ChatRequest translated(const Json& request, const Options& options) {
  if (!request.is(JsonKind::object)) throw Refusal{"the request has to be a JSON object"};
  refuse_untranslatable(request);
  ChatRequest chat;
  chat.stream = wants_stream(request["stream"]);
  chat.body = "{\"model\":";
  append_model(request["model"], options, chat.body);
  append_max_tokens(request["max_tokens"], options, chat.body);
  append_messages(request["system"], request["messages"], chat.body);
  append_tools(request["tools"], request["tool_choice"], chat.body);
  append_number(request, "temperature", chat.body);
  append_number(request, "top_p", chat.body);
  append_stop(request["stop_sequences"], chat);
  chat.body += ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";
  return chat;
}

}  // namespace

tl::expected<ChatRequest, Refusal> to_chat(std::string_view messages_request, const Options& options) {
  const wire::JsonDocument document(messages_request, options.json_depth);
  if (document.fault() == wire::JsonFault::too_deep) {
    return tl::make_unexpected(
        Refusal{"the request is nested deeper than " + std::to_string(options.json_depth) + " levels"});
  }
  if (document.fault() != wire::JsonFault::none)
    return tl::make_unexpected(Refusal{"the request is not valid JSON"});
  try {
    return translated(document.root(), options);
  } catch (Refusal& refusal) {
    return tl::make_unexpected(std::move(refusal));
  }
}

}  // namespace splitproof::request
