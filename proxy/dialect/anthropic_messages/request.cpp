#include "proxy/dialect/anthropic_messages/request.hpp"

#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/anthropic_messages/request_parts.hpp"
#include "proxy/request/members.hpp"
#include "proxy/request/refuse.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::need_string;
using request::Refusal;
using request::refuse;
using wire::Json;
using wire::JsonKind;

std::string read_model(const Json& model, const Limits& limits) {
  const std::string_view name = request::need_name(model, "model", limits);
  if (name.empty()) refuse("model", "has to name a model");
  return std::string(name);
}

std::string read_max_tokens(const Json& max_tokens) {
  if (!max_tokens) refuse("max_tokens", "field required");
  if (max_tokens.count().value_or(0) == 0) refuse("max_tokens", "has to be a whole number above 0");
  return std::string(max_tokens.raw());
}

std::string read_number(const Json& asked, const std::string& field) {
  const Json number = asked[field];
  if (!given(number)) return {};
  if (!number.is(JsonKind::number)) refuse(field, "has to be a number");
  return std::string(number.raw());
}

std::vector<std::string> read_stop(const Json& sequences) {
  std::vector<std::string> texts;
  if (given(sequences) && !sequences.is(JsonKind::array))
    refuse("stop_sequences", "has to be a list of strings");
  for (Json sequence = sequences.first(); sequence; sequence = sequence.next())
    texts.emplace_back(
        request::inner(need_string(sequence, "stop_sequences." + std::to_string(texts.size()))));
  return texts;
}

bool read_stream(const Json& stream) {
  if (!given(stream)) return false;
  if (!stream.is(JsonKind::boolean)) refuse("stream", "has to be true or false");
  return stream.raw() == "true";
}

// Without these fields the answer would be a different one.
void refuse_untranslatable(const Json& asked) {
  for (const char* field : {"top_k", "container", "output_format"}) {
    if (given(asked[field])) refuse(field, "has no counterpart in the upstream's protocol");
  }
  // With this error, clients that keep a thread on the server send the conversation instead.
  if (given(asked["thread"])) {
    throw Refusal{"thread: has no counterpart in the upstream's protocol",
                  R"({"error_code":"thread_unsupported_request","unsupported":["thread"]})"};
  }
  const Json servers = asked["mcp_servers"];
  if (given(servers) && !servers.empty())
    refuse("mcp_servers", "has no counterpart in the upstream's protocol");
}

// Returns a format without a name: this protocol has only a schema. Other protocols need a name.
request::Format read_format(const Json& format) {
  request::Format read;
  if (!given(format)) return read;
  const std::string field = "output_config.format";
  if (format["type"].text() != "json_schema") refuse(field + ".type", "has to be json_schema");
  if (!format["schema"].is(JsonKind::object)) refuse(field + ".schema", "has to be an object");
  read.json = true;
  read.name = "answer";
  read.schema = format["schema"].raw();
  return read;
}

request::Asked read(const Json& body, const Limits& limits) {
  if (!body.is(JsonKind::object)) throw Refusal{"the request has to be a JSON object"};
  refuse_untranslatable(body);
  request::Asked asked;
  asked.stream = read_stream(body["stream"]);
  asked.model = read_model(body["model"], limits);
  asked.max_tokens = read_max_tokens(body["max_tokens"]);
  asked.system = read_system(body["system"]);
  asked.turns = read_turns(body["messages"], limits);
  read_tools(body["tools"], body["tool_choice"], limits, asked);
  asked.temperature = read_number(body, "temperature");
  asked.top_p = read_number(body, "top_p");
  asked.stop = read_stop(body["stop_sequences"]);
  asked.format = read_format(body["output_config"]["format"]);
  request::need_few(asked, limits, "messages", "stop_sequences");
  return asked;
}

}  // namespace

tl::expected<request::Asked, Refusal> read_messages_request(std::string_view body, const Limits& limits) {
  return request::read_document(body, limits, [&](const Json& root) { return read(root, limits); });
}

}  // namespace splitproof::proxy::dialect
