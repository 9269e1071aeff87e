#include "proxy/dialect/google_gemini/client_request.hpp"

#include <string>
#include <utility>

#include "proxy/dialect/google_gemini/client_request_parts.hpp"
#include "proxy/request/members.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using wire::Json;
using wire::JsonKind;

constexpr const char* kConfig = "generationConfig";

std::string field_of(std::string_view member) { return std::string(kConfig).append(".").append(member); }

// Without these fields the answer would be a different one.
void refuse_untranslatable(const Json& body, const Json& config) {
  if (given(gemini_member(body, "cachedContent")))
    refuse("cachedContent", "names content that only the provider has");
  const Json count = gemini_member(config, "candidateCount");
  if (given(count) && count.raw() != "1")
    refuse(field_of("candidateCount"), "has to be 1: the upstream is asked for one answer");
  const Json kinds = gemini_member(config, "responseModalities");
  for (Json kind = kinds.first(); kind; kind = kind.next()) {
    if (kind.text() != "TEXT") refuse(field_of("responseModalities"), "can be TEXT alone");
  }
}

std::string read_number(const Json& config, std::string_view member) {
  const Json number = gemini_member(config, member);
  if (!given(number)) return {};
  if (!number.is(JsonKind::number)) refuse(field_of(member), "has to be a number");
  return std::string(number.raw());
}

std::string read_max_tokens(const Json& config) {
  const Json limit = gemini_member(config, "maxOutputTokens");
  if (!given(limit)) return {};
  if (limit.count().value_or(0) == 0) refuse(field_of("maxOutputTokens"), "has to be a whole number above 0");
  return std::string(limit.raw());
}

std::vector<std::string> read_stop(const Json& config) {
  const std::string field = field_of("stopSequences");
  const Json list = gemini_member(config, "stopSequences");
  if (given(list) && !list.is(JsonKind::array)) refuse(field, "has to be a list of strings");
  std::vector<std::string> texts;
  for (Json text = list.first(); text; text = text.next())
    texts.emplace_back(inner(need_string(text, request::at(field, texts.size()))));
  return texts;
}

// Returns a format without a name. Other protocols need one.
request::Format read_format(const Json& config) {
  const std::string field = field_of("responseMimeType");
  const Json type = gemini_member(config, "responseMimeType");
  const std::string said = given(type) ? need_string(type, field).text() : "text/plain";
  request::Format format;
  if (said == "text/plain") return format;
  if (said != "application/json") refuse(field, "has to be text/plain or application/json");
  format.json = true;
  const Json own = gemini_member(config, "responseJsonSchema");
  const Json schema = given(own) ? own : gemini_member(config, "responseSchema");
  if (!given(schema)) return format;
  if (!schema.is(JsonKind::object))
    refuse(field_of(given(own) ? "responseJsonSchema" : "responseSchema"), "has to be an object");
  format.name = "answer";
  format.schema = given(own) ? std::string(own.raw()) : json_schema_of(schema);
  return format;
}

// Returns the level of thinking as the effort. A budget is left out: a model that does not think refuses an effort, and
// clients send budgets to all models.
std::string read_effort(const Json& config) {
  const std::string field = field_of("thinkingConfig.thinkingLevel");
  const Json level = gemini_member(gemini_member(config, "thinkingConfig"), "thinkingLevel");
  if (!given(level)) return {};
  const std::string effort = wire::lowered(std::string(inner(need_string(level, field))));
  return effort == "thinking_level_unspecified" ? std::string() : effort;
}

request::Asked read(const Json& body, const Limits& limits) {
  if (!body.is(JsonKind::object)) throw request::Refusal{"the request has to be a JSON object"};
  const Json config = gemini_member(body, kConfig);
  if (given(config) && !config.is(JsonKind::object)) refuse(kConfig, "has to be an object");
  refuse_untranslatable(body, config);
  request::Asked asked;
  if (given(body["model"])) asked.model = request::need_name(body["model"], "model", limits);
  asked.stream = request::read_flag(body, "stream", false);
  request::Conversation conversation;
  read_gemini_contents(body, limits, conversation);
  conversation.move_to(asked);
  if (asked.turns.empty()) refuse("contents", "has no content");
  read_gemini_tools(body, limits, asked);
  asked.max_tokens = read_max_tokens(config);
  asked.temperature = read_number(config, "temperature");
  asked.top_p = read_number(config, "topP");
  asked.stop = read_stop(config);
  asked.format = read_format(config);
  asked.effort = read_effort(config);
  request::need_few(asked, limits, "contents", field_of("stopSequences"));
  return asked;
}

}  // namespace

tl::expected<request::Asked, request::Refusal> read_gemini_request(std::string_view body,
                                                                   const Limits& limits) {
  return request::read_document(body, limits, [&](const Json& root) { return read(root, limits); });
}

}  // namespace splitproof::proxy::dialect
