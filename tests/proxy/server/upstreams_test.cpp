// Upstreams of other protocols than Chat Completions: their requests and answers in the server.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::upstreams_test {
namespace {

using nlohmann::json;

constexpr const char* kChat = "/v1/chat/completions";
constexpr const char* kResponses = "/v1/responses";

const std::string kChatAsks = R"({"stream":true,"model":"m","messages":[{"role":"user","content":"Hi"}]})";

Served served_from(const std::string& protocol) {
  return Served({}, {"--seed", "1", "--upstream-protocol", protocol});
}

std::string event(const std::string& data) {
  return "event: " + json::parse(data).at("type").get<std::string>() + "\ndata: " + data + "\n\n";
}

const std::string kMessage =
    event(R"({"type":"message_start","message":{"model":"m","usage":{"input_tokens":3}}})") +
    event(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})") +
    event(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Yes."}})") +
    event(R"({"type":"content_block_stop","index":0})") +
    event(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}})") +
    event(R"({"type":"message_stop"})");

const std::string kResponse =
    event(R"({"type":"response.created","response":{"model":"m"}})") +
    event(
        R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"i","delta":"Yes."})") +
    event(
        R"({"type":"response.completed","response":{"model":"m","usage":{"input_tokens":3,"output_tokens":2}}})");

TEST(Upstreams, AnthropicUpstreamGetsItsPathHeadersAndBody) {
  const Served served = served_from("anthropic.messages");
  for (const auto& [header, key] : std::vector<std::pair<std::string, std::string>>{
           {"Authorization: Bearer sk-1\r\n", "sk-1"}, {"", ""}}) {
    auto [client, connection, request] = served.ask(kChatAsks, header, kChat);
    EXPECT_EQ(request.line, "POST /v1/v1/messages HTTP/1.1");
    EXPECT_EQ(request.headers["x-api-key"], key);
    EXPECT_EQ(request.headers["anthropic-version"], "2023-06-01");
    EXPECT_EQ(request.headers.count("authorization"), 0U);
    EXPECT_EQ(json::parse(request.body).at("max_tokens"), 32000);
    connection.begin_stream();
    connection.chunk(kMessage);
    client.read_all();
    EXPECT_EQ(client.status(), 200);
    EXPECT_NE(client.body().find("\"content\":\"Yes.\""), std::string::npos) << client.body();
    EXPECT_TRUE(client.body().ends_with("data: [DONE]\n\n"));
  }
}

TEST(Upstreams, ResponsesUpstreamGetsItsPathHeadersAndBody) {
  const Served served = served_from("openai.responses");
  auto [client, connection, request] = served.ask(kStreamed, "x-api-key: sk-1\r\n");
  EXPECT_EQ(request.line, "POST /v1/responses HTTP/1.1");
  EXPECT_EQ(request.headers["authorization"], "Bearer sk-1");
  EXPECT_EQ(request.headers.count("x-api-key"), 0U);
  EXPECT_EQ(json::parse(request.body).at("store"), false);
  connection.begin_stream();
  connection.chunk(kResponse);
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_NE(client.body().find(R"({"type":"text_delta","text":"Yes."})"), std::string::npos) << client.body();
  EXPECT_TRUE(client.body().ends_with("data: {\"type\":\"message_stop\"}\n\n"));
}

TEST(Upstreams, GeminiUpstreamGetsTheModelInItsPath) {
  const Served served = served_from("google.gemini");
  for (const bool stream : {true, false}) {
    const json asks = {
        {"model", "gemini/2?"}, {"stream", stream}, {"messages", {{{"role", "user"}, {"content", "Hi"}}}}};
    auto [client, connection, request] = served.ask(asks.dump(), "Authorization: Bearer sk-1\r\n", kChat);
    EXPECT_EQ(request.line, "POST /v1/models/gemini%2F2%3F:streamGenerateContent?alt=sse HTTP/1.1");
    EXPECT_EQ(request.headers["x-goog-api-key"], "sk-1");
    EXPECT_EQ(request.headers.count("authorization"), 0U);
    EXPECT_EQ(json::parse(request.body),
              json::parse(R"({"contents":[{"role":"user","parts":[{"text":"Hi"}]}]})"));
    connection.begin_stream();
    connection.chunk(
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Yes.\"}]},\"finishReason\":\"STOP\"}]}\r\n\r\n");
    connection.last_chunk();
    client.read_all();
    EXPECT_EQ(client.status(), 200);
    EXPECT_NE(client.body().find("\"content\":\"Yes.\""), std::string::npos) << client.body();
  }
}

TEST(Upstreams, ErrorOfGeminiInAnArrayKeepsItsMeaning) {
  const Served served = served_from("google.gemini");
  auto [client, connection, request] = served.ask(kStreamed, "x-api-key: sk-1\r\n");
  connection.answer("429 Too Many Requests", "Content-Type: application/json\r\nRetry-After: 7\r\n",
                    R"([{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}])");
  client.read_all();
  EXPECT_EQ(client.status(), 429);
  const json error = json::parse(client.body()).at("error");
  EXPECT_EQ(error.at("type"), "rate_limit_error");
  EXPECT_EQ(error.at("message"), "slow down");
}

TEST(Upstreams, BedrockUpstreamsGetTheModelInTheirPath) {
  for (const auto& [protocol, verb] : std::vector<std::pair<std::string, std::string>>{
           {"bedrock.converse", "converse-stream"}, {"bedrock.invoke", "invoke-with-response-stream"}}) {
    const Served served = served_from(protocol);
    const std::string asks =
        R"({"stream":true,"model":"a.b-v1:0","messages":[{"role":"user","content":"Hi"}]})";
    auto [client, connection, request] = served.ask(asks, "Authorization: Bearer sk-1\r\n", kChat);
    EXPECT_EQ(request.line, "POST /v1/model/a.b-v1%3A0/" + verb + " HTTP/1.1");
    EXPECT_EQ(request.headers["authorization"], "Bearer sk-1");
    EXPECT_EQ(request.headers["accept"], "application/vnd.amazon.eventstream");
    EXPECT_FALSE(json::parse(request.body).contains("model"));
    EXPECT_FALSE(json::parse(request.body).contains("stream"));
    connection.answer("500 Internal Server Error", "", "");
    client.read_all();
  }
}

// One status can stand for several errors, and a header names them.
TEST(Upstreams, ErrorOfBedrockHasTheKindOfItsName) {
  for (const auto& [status, name, kind] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"400 Bad Request", "ThrottlingException:http://internal.amazon.com/", "rate_limit_error"},
           {"400 Bad Request", "ValidationException", "invalid_request_error"},
           {"403 Forbidden", "ExpiredTokenException", "authentication_error"},
           {"403 Forbidden", "AccessDeniedException", "permission_error"},
           {"424 Failed Dependency", "ModelErrorException", "api_error"},
           {"404 Not Found", "TideException", "not_found_error"}}) {
    const Served served = served_from("bedrock.converse");
    auto [client, connection, request] = served.ask(kStreamed, "x-api-key: sk-1\r\n");
    connection.answer(status, "Content-Type: application/json\r\nx-amzn-ErrorType: " + name + "\r\n",
                      R"({"message":"the reason"})");
    client.read_all();
    const json error = json::parse(client.body()).at("error");
    EXPECT_EQ(error.at("type"), kind) << name;
    EXPECT_EQ(error.at("message"), "the reason");
  }
}

TEST(Upstreams, WholeAnswerIsPutTogetherOfTheirStreams) {
  {
    const Served served = served_from("anthropic.messages");
    auto [client, connection, request] = served.ask(R"({"model":"m","input":"Hi"})", {}, kResponses);
    connection.begin_stream();
    connection.chunk(kMessage);
    client.read_all();
    const json response = json::parse(client.body());
    EXPECT_EQ(response.at("output")[0].at("content")[0].at("text"), "Yes.");
    EXPECT_EQ(response.at("usage").at("total_tokens"), 5);
  }
  const Served served = served_from("openai.responses");
  auto [client, connection, request] = served.ask(kWhole);
  connection.begin_stream();
  connection.chunk(kResponse);
  client.read_all();
  EXPECT_EQ(json::parse(client.body()).at("content"), json::parse(R"([{"type":"text","text":"Yes."}])"));
}

// Within their own protocol all other content is relayed: signed thinking, and the choice of a stream.
TEST(Upstreams, ToolsHaveOtherNamesThereUnderAKnob) {
  const std::string call =
      event(R"({"type":"message_start","message":{"model":"m","usage":{"input_tokens":3}}})") +
      event(
          R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Read","input":{}}})") +
      event(
          R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"file_"}})") +
      event(
          R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"path\":\"/a\"}"}})") +
      event(R"({"type":"content_block_stop","index":0})") +
      event(R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}})") +
      event(R"({"type":"message_stop"})");
  const std::string whole =
      R"({"content":[{"type":"thinking","thinking":"Read","signature":"c2ln"}, {"name":"Read","type":"tool_use","input":{"file_path" :"/a"}}]})";
  const Served served("knobs: {names: opencode}\n",
                      {"--seed", "1", "--upstream-protocol", "anthropic.messages"});
  for (const bool stream : {true, false}) {
    const json asks = {{"model", "m"},
                       {"max_tokens", 9},
                       {"stream", stream},
                       {"messages", {{{"role", "user"}, {"content", "Hi"}}}},
                       {"metadata", {{"user_id", "u"}}},
                       {"tools", {{{"name", "read"}, {"input_schema", {{"type", "object"}}}}}}};
    auto [client, connection, request] = served.ask(asks.dump());
    const json asked = json::parse(request.body);
    EXPECT_EQ(asked.at("tools")[0].at("name"), "Read");
    EXPECT_EQ(asked.at("stream"), stream);
    EXPECT_EQ(asked.at("metadata"), asks.at("metadata"));
    if (stream) {
      connection.begin_stream();
      connection.chunk(call);
    } else {
      connection.answer("200 OK", "Content-Type: application/json\r\n", whole);
    }
    client.read_all();
    EXPECT_EQ(client.status(), 200);
    if (stream) {
      EXPECT_NE(client.body().find(R"("name":"read")"), std::string::npos) << client.body();
      EXPECT_NE(client.body().find(R"("partial_json":"{\"filePath\":\"/a\"}")"), std::string::npos);
      EXPECT_EQ(client.body().find("file_"), std::string::npos);
      continue;
    }
    EXPECT_EQ(
        client.body(),
        R"({"content":[{"type":"thinking","thinking":"Read","signature":"c2ln"}, {"name":"read","type":"tool_use","input":{"filePath" :"/a"}}]})");
  }
}

TEST(Upstreams, FieldWithoutCounterpartUpstreamIsRefusedByName) {
  struct Row {
    std::string protocol, path, request, message;
  };
  for (
      const Row& row :
      {Row{"anthropic.messages", kChat,
           R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"json_object"}})",
           "the format of the answer: JSON without a schema has no counterpart in the upstream's protocol"},
       Row{"openai.responses", kMessages,
           R"({"model":"m","max_tokens":9,"stop_sequences":["x"],"messages":[{"role":"user","content":"Hi"}]})",
           "texts that end the answer: they have no counterpart in the upstream's protocol"}}) {
    const Served served = served_from(row.protocol);
    Client client(served.proxy.port());
    client.post(row.path, row.request);
    client.read_all();
    EXPECT_EQ(client.status(), 400);
    EXPECT_EQ(json::parse(client.body()).at("error").at("message"), row.message);
    EXPECT_FALSE(served.upstream.waiting());
  }
}

TEST(Upstreams, ErrorsInTheirFormBecomeErrorsInTheClients) {
  struct Row {
    std::string status, body;
    int expected;
    std::string word, message;
  };
  const auto ask = [](const Served& served, const std::string& asks, const std::string& path, const Row& row,
                      const char* member) {
    SCOPED_TRACE(row.status + " " + row.body);
    auto [client, connection, request] = served.ask(asks, {}, path);
    connection.answer(row.status, "Retry-After: 7\r\nContent-Type: application/json\r\n", row.body);
    client.read_all();
    EXPECT_EQ(client.status(), row.expected);
    EXPECT_EQ(client.header("retry-after"), "7");
    const json error = json::parse(client.body()).at("error");
    EXPECT_EQ(error.at(member), row.word);
    EXPECT_EQ(error.at("message"), row.message);
  };
  const auto anthropic = [](const std::string& type, const std::string& message) {
    return R"({"type":"error","error":{"type":")" + type + R"(","message":")" + message +
           R"("},"request_id":"r"})";
  };
  const Served messages = served_from("anthropic.messages");
  for (const Row& row :
       {Row{"400 Bad Request", anthropic("invalid_request_error", "no"), 400, "invalid_prompt", "no"},
        Row{"401 Unauthorized", anthropic("authentication_error", "who"), 401, "invalid_api_key", "who"},
        Row{"429 Too Many", anthropic("rate_limit_error", "slow"), 429, "rate_limit_exceeded", "slow"},
        Row{"500 Oops", anthropic("overloaded_error", "busy"), 503, "overloaded", "busy"},
        Row{"529 Overloaded", anthropic("overloaded_error", "busy"), 503, "overloaded", "busy"},
        Row{"502 Bad Gateway", "<html>", 502, "server_error", "the upstream answered with status 502"}}) {
    ask(messages, kChatAsks, kChat, row, "code");
  }
  const Served responses = served_from("openai.responses");
  for (const Row& row :
       {Row{"400 Bad Request", R"({"error":{"message":"no","type":"invalid_request_error","code":null}})",
            400, "invalid_request_error", "no"},
        Row{"429 Too Many", R"({"error":{"message":"pay","code":"insufficient_quota"}})", 402,
            "billing_error", "pay"},
        Row{"503 Unavailable", R"({"error":{"message":"busy","code":"server_is_overloaded"}})", 529,
            "overloaded_error", "busy"}}) {
    ask(responses, kStreamed, kMessages, row, "type");
  }
}

TEST(Upstreams, ErrorsAtTheHeadOfTheirStreamsHaveAStatus) {
  const Served messages = served_from("anthropic.messages");
  {
    auto [client, connection, request] = messages.ask(kChatAsks, {}, kChat);
    connection.begin_stream();
    connection.chunk(event(R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})"));
    client.read_all();
    EXPECT_EQ(client.status(), 503);
  }
  const Served responses = served_from("openai.responses");
  auto [client, connection, request] = responses.ask();
  connection.begin_stream();
  connection.chunk(event(R"({"type":"error","code":"rate_limit_exceeded","message":"slow"})"));
  client.read_all();
  EXPECT_EQ(client.status(), 429);
}

}  // namespace
}  // namespace splitproof::server::upstreams_test
