// The response object of translated answers has every member that Open Responses requires, and repeats the request.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/recording/corpus.hpp"
#include "proxy/dialect/openai_responses/answer.hpp"
#include "proxy/dialect/openai_responses/request.hpp"
#include "proxy/translator.hpp"

namespace splitproof::proxy::dialect::openai_responses::response_object_test {
namespace {

using nlohmann::json;

constexpr std::uint64_t kCreated = 1700000000;
constexpr std::uint64_t kCompleted = kCreated + 7;

// Returns the members of the response object of Open Responses, as a JSON Schema: `type`, `enum`, `required`,
// `properties`, `items` and `anyOf`. An item is chosen by its type.
const json& schema() {
  static const json schema = json::parse(R"({
    "type": "object",
    "required": ["id", "object", "created_at", "completed_at", "status", "incomplete_details", "model",
                 "previous_response_id", "instructions", "output", "error", "tools", "tool_choice", "truncation",
                 "parallel_tool_calls", "text", "top_p", "presence_penalty", "frequency_penalty", "top_logprobs",
                 "temperature", "reasoning", "user", "usage", "max_output_tokens", "max_tool_calls", "store", "background",
                 "service_tier", "metadata", "safety_identifier", "prompt_cache_key"],
    "properties": {
      "id": {"type": "string"},
      "object": {"enum": ["response"]},
      "created_at": {"type": "integer"},
      "completed_at": {"type": ["integer", "null"]},
      "status": {"enum": ["in_progress", "completed", "incomplete", "failed"]},
      "incomplete_details": {"type": ["object", "null"], "required": ["reason"],
                             "properties": {"reason": {"type": "string"}}},
      "model": {"type": "string"},
      "previous_response_id": {"type": ["string", "null"]},
      "instructions": {"type": ["string", "null"]},
      "error": {"type": ["object", "null"], "required": ["code", "message"],
                "properties": {"code": {"type": "string"}, "message": {"type": "string"}}},
      "tools": {"type": "array", "items": {
        "type": "object", "required": ["type", "name", "description", "parameters", "strict"],
        "properties": {"type": {"enum": ["function"]}, "name": {"type": "string"},
                       "description": {"type": ["string", "null"]}, "parameters": {"type": ["object", "null"]},
                       "strict": {"type": ["boolean", "null"]}}}},
      "tool_choice": {"anyOf": [
        {"enum": ["none", "auto", "required"]},
        {"type": "object", "required": ["type", "name"],
         "properties": {"type": {"enum": ["function"]}, "name": {"type": "string"}}},
        {"type": "object", "required": ["type", "tools", "mode"],
         "properties": {"type": {"enum": ["allowed_tools"]}, "tools": {"type": "array"},
                        "mode": {"enum": ["none", "auto", "required"]}}}]},
      "truncation": {"enum": ["auto", "disabled"]},
      "parallel_tool_calls": {"type": "boolean"},
      "text": {"type": "object", "required": ["format"], "properties": {
        "verbosity": {"enum": ["low", "medium", "high"]},
        "format": {"anyOf": [
          {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["text", "json_object"]}}},
          {"type": "object", "required": ["type", "name", "description", "schema", "strict"],
           "properties": {"type": {"enum": ["json_schema"]}, "name": {"type": "string"},
                          "description": {"type": ["string", "null"]}, "schema": {"type": ["object", "null"]},
                          "strict": {"type": "boolean"}}}]}}},
      "top_p": {"type": "number"},
      "presence_penalty": {"type": "number"},
      "frequency_penalty": {"type": "number"},
      "top_logprobs": {"type": "integer"},
      "temperature": {"type": "number"},
      "reasoning": {"type": ["object", "null"], "required": ["effort", "summary"], "properties": {
        "effort": {"enum": ["none", "minimal", "low", "medium", "high", "xhigh", null]},
        "summary": {"enum": ["concise", "detailed", "auto", null]}}},
      "user": {"type": ["string", "null"]},
      "usage": {"type": ["object", "null"],
                "required": ["input_tokens", "output_tokens", "total_tokens", "input_tokens_details", "output_tokens_details"],
                "properties": {
                  "input_tokens": {"type": "integer"}, "output_tokens": {"type": "integer"},
                  "total_tokens": {"type": "integer"},
                  "input_tokens_details": {"type": "object", "required": ["cached_tokens"],
                                           "properties": {"cached_tokens": {"type": "integer"}}},
                  "output_tokens_details": {"type": "object", "required": ["reasoning_tokens"],
                                            "properties": {"reasoning_tokens": {"type": "integer"}}}}},
      "max_output_tokens": {"type": ["integer", "null"]},
      "max_tool_calls": {"type": ["integer", "null"]},
      "store": {"type": "boolean"},
      "background": {"type": "boolean"},
      "service_tier": {"type": "string"},
      "metadata": {"type": "object"},
      "safety_identifier": {"type": ["string", "null"]},
      "prompt_cache_key": {"type": ["string", "null"]},
      "output": {"type": "array", "items": {"anyOf": [
        {"type": "object", "required": ["type", "id", "status", "role", "content"], "properties": {
          "type": {"enum": ["message"]}, "id": {"type": "string"},
          "status": {"enum": ["in_progress", "completed", "incomplete"]}, "role": {"enum": ["assistant"]},
          "content": {"type": "array", "items": {"anyOf": [
            {"type": "object", "required": ["type", "text", "annotations", "logprobs"], "properties": {
              "type": {"enum": ["output_text"]}, "text": {"type": "string"}, "annotations": {"type": "array"},
              "logprobs": {"type": "array"}}},
            {"type": "object", "required": ["type", "refusal"],
             "properties": {"type": {"enum": ["refusal"]}, "refusal": {"type": "string"}}}]}}}},
        {"type": "object", "required": ["type", "id", "call_id", "name", "arguments", "status"], "properties": {
          "type": {"enum": ["function_call"]}, "id": {"type": "string"}, "call_id": {"type": "string"},
          "name": {"type": "string"}, "arguments": {"type": "string"},
          "status": {"enum": ["in_progress", "completed", "incomplete"]}}},
        {"type": "object", "required": ["type", "id", "summary"], "properties": {
          "type": {"enum": ["reasoning"]}, "id": {"type": "string"},
          "summary": {"type": "array", "items": {
            "type": "object", "required": ["type", "text"],
            "properties": {"type": {"enum": ["summary_text"]}, "text": {"type": "string"}}}}}}]}}
    }})");
  return schema;
}

bool has_type(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  return value.type_name() == type;
}

// Returns the place and reason of a misfit; empty if the value fits.
std::string misfit(const json& value, const json& rule, const std::string& at = "response") {
  if (rule.contains("anyOf")) {
    const json& rules = rule["anyOf"];
    const bool fits =
        std::any_of(rules.begin(), rules.end(), [&](const json& one) { return misfit(value, one).empty(); });
    return fits ? "" : at + " is " + value.dump();
  }
  if (rule.contains("enum")) {
    const json& known = rule["enum"];
    return std::find(known.begin(), known.end(), value) != known.end() ? "" : at + " is " + value.dump();
  }
  if (rule.contains("type")) {
    const json types = rule["type"].is_array() ? rule["type"] : json::array({rule["type"]});
    const bool fits = std::any_of(types.begin(), types.end(),
                                  [&](const json& type) { return has_type(value, type.get<std::string>()); });
    if (!fits) return at + " is " + value.dump();
  }
  if (value.is_object()) {
    const json required = rule.value("required", json::array());
    const json properties = rule.value("properties", json::object());
    for (const json& name : required) {
      if (!value.contains(name.get<std::string>())) return at + " lacks " + name.get<std::string>();
    }
    for (const auto& [name, member] : properties.items()) {
      if (!value.contains(name)) continue;
      if (std::string why = misfit(value[name], member, at + "." + name); !why.empty()) return why;
    }
  }
  if (value.is_array() && rule.contains("items")) {
    for (const json& item : value) {
      if (std::string why = misfit(item, rule["items"], at + "[]"); !why.empty()) return why;
    }
  }
  return "";
}

// True if `said` contains all of `asked`. It may have more members.
bool repeats(const json& said, const json& asked) {
  if (asked.is_array()) {
    return said.is_array() && said.size() == asked.size() &&
           std::equal(said.begin(), said.end(), asked.begin(), repeats);
  }
  if (!asked.is_object()) return said == asked;
  const auto items = asked.items();
  return said.is_object() && std::all_of(items.begin(), items.end(), [&](const auto& item) {
           return said.contains(item.key()) && repeats(said[item.key()], item.value());
         });
}

// Returns possible values for each member that a response repeats.
const json& values() {
  static const json values = json::parse(R"({
    "instructions": ["Be \u00e9 \ud83d\ude00 brief.\n", ""],
    "max_output_tokens": [17, 100000],
    "max_tool_calls": [3],
    "metadata": [{}, {"a b": "c\nd", "e": ""}],
    "parallel_tool_calls": [true, false],
    "presence_penalty": [0.5, -2],
    "frequency_penalty": [1.25],
    "prompt_cache_key": ["k-1"],
    "safety_identifier": ["s-1"],
    "service_tier": ["flex", "priority"],
    "store": [true, false],
    "temperature": [0, 0.7, 2],
    "top_logprobs": [0, 5],
    "top_p": [0.1, 1],
    "truncation": ["auto", "disabled"],
    "user": ["u-1"],
    "background": [false],
    "reasoning": [{}, {"effort": "low"}, {"summary": "auto"}, {"effort": "high", "summary": "detailed"}],
    "text": [{}, {"verbosity": "low"}, {"format": {"type": "text"}}, {"format": {"type": "json_object"}},
             {"format": {"type": "json_schema", "name": "n", "schema": {"type": "object"}}},
             {"verbosity": "high", "format": {"type": "json_schema", "name": "n", "strict": true, "description": "d",
                                              "schema": {"type": "object", "properties": {"a": {}}}}}],
    "tools": [[{"type": "function", "name": "f"}, {"type": "function", "name": "g", "description": "d", "strict": true,
                "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}}]],
    "tool_choice": ["auto", "none", {"type": "function", "name": "f"},
                    {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "g"}]}]
  })");
  return values;
}

// Returns a request with some of the members, usually with white space between tokens.
json made_request(std::mt19937& random) {
  json request = {{"model", "asked"}, {"input", "Hi"}};
  for (const auto& [name, choices] : values().items()) {
    if (random() % 2 == 0) continue;
    request[name] = choices[random() % choices.size()];
  }
  if (!request.contains("tools") && request.contains("tool_choice") && request["tool_choice"].is_object())
    request.erase("tool_choice");
  return request;
}

TranslatorOptions options_for(const std::string& protocol, const std::string& request) {
  TranslatorOptions options;
  options.client = find_client("openai.responses");
  options.upstream = find_upstream(protocol);
  options.reply.created = kCreated;
  const auto asked = read_responses_request(request, options.rules.limits);
  EXPECT_TRUE(asked) << (asked ? "" : asked.error().message) << request;
  if (asked) options.reply.echo = asked->echo;
  return options;
}

std::string translated(const recording::Recording& recording, const TranslatorOptions& options) {
  Translator translator(options);
  translator.set_time(kCompleted);
  std::string out;
  translator.feed(recording.body, out);
  translator.finish(static_cast<turn::BodyEnd>(recording.end), out);
  return out;
}

// Returns the response objects of a stream.
std::vector<json> responses_in(const std::string& stream) {
  std::vector<json> responses;
  constexpr std::string_view kData = "\ndata: ";
  for (std::size_t at = stream.find(kData); at != std::string::npos; at = stream.find(kData, at)) {
    at += kData.size();
    const json event = json::parse(stream.substr(at, stream.find('\n', at) - at));
    if (event.contains("response")) responses.push_back(event["response"]);
  }
  return responses;
}

const std::vector<recording::Recording>& recordings() {
  static const recording::Corpus corpus = recording::load_corpus({std::getenv("SPLITPROOF_CORPUS")});
  return corpus.recordings;
}

TEST(ResponseObject, OfEveryRecordingIsWholeAndRepeatsItsRequest) {
  std::mt19937 random(1);
  std::set<std::string> upstreams;
  std::set<std::string> endings;
  for (const recording::Recording& recording : recordings()) {
    // Within one protocol the object is the upstream's own.
    if (find_upstream(recording.protocol) == nullptr || recording.protocol == "openai.responses") continue;
    const json request = made_request(random);
    const std::string stream =
        translated(recording, options_for(recording.protocol, request.dump(random() % 2 == 0 ? 2 : -1)));
    std::vector<json> responses = responses_in(stream);
    ASSERT_EQ(responses.size(), 3U) << recording.id;
    EXPECT_EQ(responses.back()["completed_at"],
              responses.back()["status"] == "completed" ? json(kCompleted) : json(nullptr))
        << recording.id;
    upstreams.insert(recording.protocol);
    endings.insert(responses.back()["status"]);
    if (const Answer whole = responses_whole_answer(stream); whole.status == 200) {
      EXPECT_EQ(json::parse(whole.body), responses.back()) << recording.id;
    }
    for (const json& response : responses) {
      ASSERT_EQ(misfit(response, schema()), "") << recording.id << response.dump();
      EXPECT_EQ(response["created_at"], kCreated);
      for (const auto& [name, value] : request.items()) {
        if (name == "model" || name == "input") continue;
        ASSERT_TRUE(repeats(response[name], value)) << recording.id << ": " << name << ": " << response[name];
      }
    }
  }
  EXPECT_EQ(upstreams.size(), dialect::upstreams().size() - 1) << "each but that of the client's protocol";
  EXPECT_EQ(endings, (std::set<std::string>{"completed", "failed", "incomplete"}));
}

TEST(ResponseObject, OfARequestThatSaysNothingHasTheDefaults) {
  for (const char* request :
       {R"({"model":"m","input":"Hi"})",
        R"({"model":"m","input":"Hi","temperature":null,"tools":null,"text":null,"tool_choice":null})",
        R"({"model":"m","input":"Hi","metadata":"no object","user":1,"top_logprobs":"x"})"}) {
    const json said = json::parse("{" + options_for("openai.chat", request).reply.echo + "}");
    EXPECT_EQ(
        said,
        json::parse(R"({"background":false,"frequency_penalty":0,"instructions":null,"max_output_tokens":null,
        "max_tool_calls":null,"metadata":{},"parallel_tool_calls":true,"presence_penalty":0,"previous_response_id":null,
        "prompt_cache_key":null,"reasoning":{"effort":null,"summary":null},"safety_identifier":null,
        "service_tier":"default","store":false,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto",
        "tools":[],"top_logprobs":0,"top_p":1,"truncation":"disabled","user":null})"))
        << request;
  }
}

TEST(ResponseObject, RepeatsNoMoreThanItsLimit) {
  Limits limits;
  limits.echo_bytes = 2000;
  for (std::size_t size = 0; size < 4000; size += 99) {
    const json request = {
        {"model", "m"}, {"input", "Hi"}, {"user", "u"}, {"instructions", std::string(size, 'x')}};
    const auto asked = read_responses_request(request.dump(), limits);
    ASSERT_TRUE(asked);
    EXPECT_LE(asked->echo.size(), limits.echo_bytes + 100);
    const json said = json::parse("{" + asked->echo + "}");
    EXPECT_EQ(said["user"], "u");
    EXPECT_EQ(said["instructions"], size < 1500   ? request["instructions"]
                                    : size > 2000 ? json(nullptr)
                                                  : said["instructions"]);
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_responses::response_object_test
