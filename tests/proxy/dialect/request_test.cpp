#include "proxy/dialect/anthropic_messages/request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "proxy/dialect/openai_chat/request.hpp"
#include "proxy/server/models.hpp"

namespace splitproof::proxy::dialect::request_test {
namespace {

using nlohmann::json;

// Returns a request with one user turn, and `more` members.
std::string request_with(const std::string& more) {
  return R"({"model":"m","max_tokens":5,"messages":[{"role":"user","content":"Hi"}])" +
         (more.empty() ? "" : "," + more) + "}";
}

std::string request_of(const std::string& messages) {
  return R"({"model":"m","max_tokens":5,"messages":)" + messages + "}";
}

tl::expected<request::Asked, request::Refusal> read(const std::string& request) {
  return read_messages_request(request, Limits{});
}

std::string body_of(const std::string& request, const Knobs& knobs = {}) {
  const auto asked = read(request);
  return asked ? write_chat_request(*asked, knobs) : "refused: " + asked.error().message;
}

json parsed(const std::string& request, const Knobs& knobs = {}) {
  const std::string body = body_of(request, knobs);
  const json value = json::parse(body, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << body;
  return value;
}

std::string refusal_of(const std::string& request) {
  const auto asked = read(request);
  return asked ? "translated: " + write_chat_request(*asked, {}) : asked.error().message;
}

struct Row {
  std::string in;
  std::string out;
};

TEST(ChatRequest, AsksForAStreamWithUsageWhateverTheClientAskedFor) {
  const json plain = parsed(request_with(""));
  EXPECT_EQ(plain, json::parse(R"({"model":"m","max_tokens":5,"messages":[{"role":"user","content":"Hi"}],
      "stream":true,"stream_options":{"include_usage":true}})"));
  EXPECT_EQ(parsed(request_with(R"("stream":true)")), plain);
  EXPECT_FALSE(read(request_with(""))->stream);
  EXPECT_FALSE(read(request_with(R"("stream":false)"))->stream);
  EXPECT_FALSE(read(request_with(R"("stream":null)"))->stream);
  EXPECT_TRUE(read(request_with(R"("stream":true)"))->stream);
}

TEST(ChatRequest, Messages) {
  const std::vector<Row> rows = {
      {R"([{"role":"user","content":[{"type":"text","text":"a"}]}])", R"([{"role":"user","content":"a"}])"},
      {R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""},{"type":"text","text":"b"}]}])",
       R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])"},
      {R"([{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]},
           {"role":"assistant","content":"b"},{"role":"user","content":"c"}])",
       R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}])"},
      {R"([{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},
           {"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"},{"type":"text","text":"b"}]}])",
       R"([{"role":"assistant","content":"a\n\nb"}])"},
      {R"([{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]},{"role":"user","content":"x"}])",
       R"([{"role":"user","content":"x"}])"},
      {R"([{"role":"assistant","content":[{"type":"text","text":"a"},
           {"type":"tool_use","id":"c1","name":"f","input":{"x":"y"}},{"type":"tool_use","id":"c2","name":"g","input":{}}]}])",
       R"([{"role":"assistant","content":"a","tool_calls":[
           {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"x\":\"y\"}"}},
           {"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}]}])"},
      {R"([{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]}])",
       R"([{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}])"},
      {R"([{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]}])",
       R"([{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}]}])"},
      {R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","url":"http://h/i.png"}}]}])",
       R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"http://h/i.png"}}]}])"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.in);
    EXPECT_EQ(parsed(request_of(row.in)).at("messages"), json::parse(row.out));
  }
}

// The provider's id is `functions.f:0`, which this client's protocol refuses.
TEST(ChatRequest, AnIdThatWasMadeOfTheProvidersGoesBackAsThat) {
  const auto sent = [](const std::string& id) {
    const json body = parsed(request_of(
        R"([{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":")" + id +
        R"(","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id +
        R"(","content":"1"}]}])"));
    EXPECT_EQ(body["messages"][1]["tool_calls"][0]["id"], body["messages"][2]["tool_call_id"]);
    return body["messages"][2]["tool_call_id"].get<std::string>();
  };
  EXPECT_EQ(sent("toolu_x66756e6374696f6e732e663a30"), "functions.f:0");
  EXPECT_EQ(sent("toolu_xe58c972e22"), "\u5317.\"");
  // Ids that the proxy never makes: plain text, not text, no digits, half a byte, nothing.
  for (const std::string other :
       {"toolu_x6162", "toolu_xff2e", "toolu_x2e2", "toolu_x2g", "toolu_x", "toolu_01"})
    EXPECT_EQ(sent(other), other);
}

TEST(ChatRequest, ResultsComeBeforeWhatTheUserSays) {
  const std::vector<Row> rows = {
      {R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"done"}]}])",
       R"([{"role":"tool","tool_call_id":"c1","content":"done"}])"},
      {R"([{"role":"user","content":[{"type":"text","text":"and"},{"type":"tool_result","tool_use_id":"c1","content":"one"},
           {"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"two"},{"type":"text","text":"three"}]}]}])",
       R"([{"role":"tool","tool_call_id":"c1","content":"one"},{"role":"tool","tool_call_id":"c2","content":"two\n\nthree"},
           {"role":"user","content":"and"}])"},
      {R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1"}]}])",
       R"([{"role":"tool","tool_call_id":"c1","content":""}])"},
      {R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":"no such file"}]}])",
       R"([{"role":"tool","tool_call_id":"c1","content":"Error: no such file"}])"},
      {R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":false,"content":"fine"}]}])",
       R"([{"role":"tool","tool_call_id":"c1","content":"fine"}])"},
      {R"([{"role":"user","content":[{"type":"text","text":"what is it?"},{"type":"tool_result","tool_use_id":"c1","content":[
           {"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}},{"type":"text","text":"shot"}]}]}])",
       R"([{"role":"tool","tool_call_id":"c1","content":"shot"},
           {"role":"user","content":[{"type":"text","text":"Image in the result of c1:"},
             {"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}},{"type":"text","text":"what is it?"}]}])"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.in);
    EXPECT_EQ(parsed(request_of(row.in)).at("messages"), json::parse(row.out));
  }
}

TEST(ChatRequest, SystemPromptComesFirst) {
  const std::vector<Row> rows = {
      {R"("system":"be brief")", R"("be brief")"},
      {R"("system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b"}])",
       R"("a\n\nb")"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.in);
    const json messages = parsed(request_with(row.in)).at("messages");
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0], json({{"role", "system"}, {"content", json::parse(row.out)}}));
  }
  for (const char* none : {R"("system":"")", R"("system":[])", R"("system":null)"})
    EXPECT_EQ(parsed(request_with(none)).at("messages").size(), 1U) << none;
}

TEST(ChatRequest, SystemWithinTheConversationStaysThere) {
  const auto asked = read_messages_request(
      R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"system","content":"b"},{"role":"user","content":"c"}]})",
      Limits{});
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(json::parse(write_chat_request(*asked, {})).at("messages"), json::parse(R"([
    {"role":"user","content":"a"}, {"role":"system","content":"b"}, {"role":"user","content":"c"}])"));
}

TEST(ChatRequest, AFormOfTheTextIsAskedFor) {
  const auto asked = read_messages_request(
      R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}],
          "output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}}})",
      Limits{});
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(json::parse(write_chat_request(*asked, {})).at("response_format"), json::parse(R"(
    {"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}})"));
}

TEST(ChatRequest, MoreStopsThanTheProtocolTakesAreRefused) {
  request::Asked asked;
  asked.stop = {"a", "b", "c", "d"};
  EXPECT_FALSE(chat_refusal(asked));
  asked.stop.emplace_back("e");
  EXPECT_TRUE(chat_refusal(asked));
}

TEST(ChatRequest, NamesLongerThanTheProtocolTakesAreRefused) {
  request::Asked asked;
  asked.tools.resize(2);
  asked.tools[1].name = std::string(64, 'a');
  EXPECT_FALSE(chat_refusal(asked));
  asked.tools[1].name += "a";
  EXPECT_TRUE(chat_refusal(asked));
  asked.choice = request::Choice::none;  // no tool goes upstream
  EXPECT_FALSE(chat_refusal(asked));
}

TEST(ChatRequest, ResultsOfSeveralTurnsStandBehindTheirCalls) {
  const auto asked = read_messages_request(
      R"({"model":"m","max_tokens":9,"messages":[
          {"role":"user","content":"a"},
          {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}},
                                         {"type":"tool_use","id":"2","name":"f","input":{}}]},
          {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"x"},{"type":"text","text":"b"}]},
          {"role":"user","content":[{"type":"text","text":"c"},{"type":"tool_result","tool_use_id":"2","content":"y"}]},
          {"role":"user","content":[]},
          {"role":"assistant","content":"d"},
          {"role":"user","content":"e"}]})",
      Limits{});
  ASSERT_TRUE(asked) << asked.error().message;
  json rest = json::parse(write_chat_request(*asked, {})).at("messages");
  rest.erase(0);
  rest.erase(0);
  EXPECT_EQ(rest, json::parse(R"([
    {"role":"tool","tool_call_id":"1","content":"x"}, {"role":"tool","tool_call_id":"2","content":"y"},
    {"role":"user","content":"b"}, {"role":"user","content":"c"},
    {"role":"assistant","content":"d"}, {"role":"user","content":"e"}])"));
}

TEST(ChatRequest, Tools) {
  const std::string tools =
      R"("tools":[{"name":"f","description":"does","input_schema":{"type":"object","properties":{}},"cache_control":{"type":"ephemeral"}},
                  {"type":"custom","name":"g","input_schema":{"type":"object"}}])";
  const json list = json::parse(
      R"([{"type":"function","function":{"name":"f","description":"does","parameters":{"type":"object","properties":{}}}},
          {"type":"function","function":{"name":"g","parameters":{"type":"object"}}}])");
  const std::vector<Row> rows = {
      {"", "{}"},
      {R"({"type":"auto"})", "{}"},
      {R"({"type":"any"})", R"({"tool_choice":"required"})"},
      {R"({"type":"tool","name":"g"})", R"({"tool_choice":{"type":"function","function":{"name":"g"}}})"},
      {R"({"type":"auto","disable_parallel_tool_use":true})", R"({"parallel_tool_calls":false})"},
      {R"({"type":"any","disable_parallel_tool_use":true})",
       R"({"tool_choice":"required","parallel_tool_calls":false})"},
      {R"({"type":"auto","disable_parallel_tool_use":false})", "{}"},
  };
  const json without = parsed(request_with(""));
  for (const Row& row : rows) {
    SCOPED_TRACE(row.in);
    json expected = without;
    expected["tools"] = list;
    expected.update(json::parse(row.out));
    EXPECT_EQ(parsed(request_with(tools + (row.in.empty() ? "" : ",\"tool_choice\":" + row.in))), expected);
  }
  EXPECT_EQ(parsed(request_with(tools + R"(,"tool_choice":{"type":"none"})")), without);
  EXPECT_EQ(parsed(request_with(R"("tools":[])")), without);
  EXPECT_EQ(parsed(request_with(R"("tools":[],"tool_choice":{"type":"auto"})")), without);
}

TEST(ChatRequest, Sampling) {
  const json chat = parsed(request_with(R"("temperature":0.25,"top_p":1,"stop_sequences":["END","\n"])"));
  EXPECT_EQ(chat.at("temperature"), 0.25);
  EXPECT_EQ(chat.at("top_p"), 1);
  EXPECT_EQ(chat.at("stop"), json({"END", "\n"}));
  EXPECT_FALSE(parsed(request_with(R"("stop_sequences":[],"temperature":null)")).contains("stop"));
}

TEST(ChatRequest, WhatMeansNothingUpstreamIsLeftOut) {
  const json without = parsed(request_with(""));
  for (const char* field :
       {R"("metadata":{"user_id":"u"})", R"("thinking":{"type":"enabled","budget_tokens":1024})",
        R"("service_tier":"auto")", R"("mcp_servers":[])", R"("a_field_of_next_year":{"x":1})",
        R"("top_k":null)"}) {
    EXPECT_EQ(parsed(request_with(field)), without) << field;
  }
}

TEST(ChatRequest, BytesThatTheClientWroteSurvive) {
  const std::string escaped = R"("\ud83d\ude00 \u4f60 é \" \\ \/ \ud83d")";
  const std::string body = body_of(
      R"({"model":"m","max_tokens":5,"messages":[{"role":"user","content":)" + escaped +
      R"(},{"role":"assistant","content":[{"type":"text","text":)" + escaped +
      R"(},{"type":"tool_use","id":"c","name":"f","input":{"z":12345678901234567890123,"a":1.10,"z":2}}]}],)"
      R"("tools":[{"name":"f","input_schema":{"z":1,"a":1e400}}]})");
  EXPECT_NE(body.find(R"("role":"user","content":)" + escaped), std::string::npos) << body;
  EXPECT_NE(body.find(R"("role":"assistant","content":)" + escaped), std::string::npos) << body;
  EXPECT_NE(body.find(R"({\"z\":12345678901234567890123,\"a\":1.10,\"z\":2})"), std::string::npos) << body;
  EXPECT_NE(body.find(R"("parameters":{"z":1,"a":1e400})"), std::string::npos) << body;
}

TEST(ChatRequest, ModelAndTokenField) {
  Knobs knobs;
  knobs.max_tokens_field = MaxTokensField::max_completion_tokens;
  EXPECT_EQ(parsed(request_with(""), knobs).at("max_completion_tokens"), 5);
  EXPECT_FALSE(parsed(request_with(""), knobs).contains("max_tokens"));
  const auto model = [](const server::Models& models) {
    request::Asked asked = read(request_with("")).value();
    server::choose_model(models, asked);
    return json::parse(write_chat_request(asked, {})).at("model");
  };
  EXPECT_EQ(model({{{"m", "mapped \"m\""}}, ""}), "mapped \"m\"");
  EXPECT_EQ(model({{{"other", "x"}}, ""}), "m");
  EXPECT_EQ(model({{{"m", "x"}}, "always"}), "always");
}

TEST(ChatRequest, RefusalsNameTheField) {
  const std::string tool = R"("tools":[{"name":"f","input_schema":{}}])";
  const std::vector<Row> rows = {
      {"", "the request is not valid JSON"},
      {"{\"model\":\"m\"", "the request is not valid JSON"},
      {"[]", "the request has to be a JSON object"},
      {std::string(200, '[') + std::string(200, ']'), "the request is nested deeper than 128 levels"},
      {R"({"max_tokens":5,"messages":[]})", "model: field required"},
      {R"({"model":7,"max_tokens":5,"messages":[]})", "model: has to be a string"},
      {R"({"model":"","max_tokens":5,"messages":[]})", "model: has to name a model"},
      {R"({"model":"m","messages":[{"role":"user","content":"x"}]})", "max_tokens: field required"},
      {R"({"model":"m","max_tokens":0,"messages":[]})", "max_tokens: has to be a whole number above 0"},
      {R"({"model":"m","max_tokens":"5","messages":[]})", "max_tokens: has to be a whole number above 0"},
      {R"({"model":"m","max_tokens":5})", "messages: field required"},
      {request_of("[]"), "messages: has to be a list of messages"},
      {request_of("{}"), "messages: has to be a list of messages"},
      {request_of(R"([7])"), "messages.0: has to be an object"},
      {request_of(R"([{"content":"x"}])"), "messages.0.role: field required"},
      {request_of(R"([{"role":"developer","content":"x"}])"),
       "messages.0.role: has to be user, assistant or system"},
      {request_of(R"([{"role":"user"}])"), "messages.0.content: field required"},
      {request_of(R"([{"role":"user","content":7}])"),
       "messages.0.content: has to be a string or a list of blocks"},
      {request_of(R"([{"role":"user","content":["x"]}])"), "messages.0.content.0: has to be an object"},
      {request_of(R"([{"role":"user","content":[{"text":"x"}]}])"),
       "messages.0.content.0.type: field required"},
      {request_of(R"([{"role":"user","content":[{"type":"text"}]}])"),
       "messages.0.content.0.text: field required"},
      {request_of(
           R"([{"role":"user","content":"x"},{"role":"user","content":[{"type":"text","text":"x"},{"type":"document"}]}])"),
       "messages.1.content.1.type: is a kind of content that cannot be translated"},
      {request_of(R"([{"role":"assistant","content":[{"type":"server_tool_use"}]}])"),
       "messages.0.content.0.type: is a kind of content that cannot be translated"},
      {request_of(
           R"([{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":"x"}]}])"),
       "messages.0.content.0.input: has to be an object"},
      {request_of(R"([{"role":"assistant","content":[{"type":"tool_use","name":"f","input":{}}]}])"),
       "messages.0.content.0.id: field required"},
      {request_of(R"([{"role":"user","content":[{"type":"tool_result","content":"x"}]}])"),
       "messages.0.content.0.tool_use_id: field required"},
      {request_of(
           R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"document"}]}]}])"),
       "messages.0.content.0.content.0.type: is a kind of content that cannot be translated"},
      {request_of(R"([{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}}]}])"),
       "messages.0.content.0.source.type: has to be base64 or url"},
      {request_with(R"("system":7)"), "system: has to be a string or a list of text blocks"},
      {request_with(R"("system":[{"type":"image"}])"),
       "system.0.type: is a kind of content that cannot be translated"},
      {request_with(R"("tools":{})"), "tools: has to be a list"},
      {request_with(R"("tools":[{"type":"web_search_20250305","name":"web_search"}])"),
       "tools.0.type: is a tool that the provider defines or runs, which the upstream does not have"},
      {request_with(R"("tools":[{"name":"f"}])"), "tools.0.input_schema: has to be an object"},
      {request_with(R"("tools":[{"input_schema":{}}])"), "tools.0.name: field required"},
      {request_with(R"("tool_choice":{"type":"any"})"),
       "tool_choice: asks for a tool, and there are no tools"},
      {request_with(tool + R"(,"tool_choice":{"type":"tool","name":"g"})"),
       "tool_choice.name: is none of the tools"},
      {request_with(tool + R"(,"tool_choice":"auto")"), "tool_choice: has to be an object"},
      {request_with(tool + R"(,"tool_choice":{"type":"some"})"),
       "tool_choice.type: has to be auto, any, tool or none"},
      {request_with(tool + R"(,"tool_choice":{"type":"auto","disable_parallel_tool_use":1})"),
       "tool_choice.disable_parallel_tool_use: has to be true or false"},
      {request_with(R"("stream":"yes")"), "stream: has to be true or false"},
      {request_with(R"("temperature":"hot")"), "temperature: has to be a number"},
      {request_with(R"("stop_sequences":"END")"), "stop_sequences: has to be a list of strings"},
      {request_with(R"("stop_sequences":["END",7])"), "stop_sequences.1: has to be a string"},
      {request_with(R"("top_k":5)"), "top_k: has no counterpart in the upstream's protocol"},
      {request_with(R"("mcp_servers":[{}])"), "mcp_servers: has no counterpart in the upstream's protocol"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.in);
    EXPECT_EQ(refusal_of(row.in), row.out);
  }
}

// No bytes crash it, and its translations are JSON.
TEST(ChatRequest, EveryPrefixAndEveryMissingByteIsSurvived) {
  const std::string whole = request_with(
      R"("system":[{"type":"text","text":"s"}],"stream":true,"stop_sequences":["E"],"temperature":1,)"
      R"("tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"f"})");
  ASSERT_TRUE(read(whole));
  std::size_t translated = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    EXPECT_FALSE(read(whole.substr(0, at)));
    const auto asked = read(whole.substr(0, at) + whole.substr(at + 1));
    if (!asked) continue;
    ++translated;
    const std::string body = write_chat_request(*asked, {});
    EXPECT_TRUE(json::accept(body)) << body;
  }
  EXPECT_GT(translated, 0U);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::request_test
