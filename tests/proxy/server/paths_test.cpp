// Each client's protocol has a path of its own, on which it gets streams, whole answers and errors as it knows them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server {
namespace {

using nlohmann::json;

constexpr const char* kResponses = "/v1/responses";
constexpr const char* kChat = "/v1/chat/completions";

std::string responses_request(const std::string& more) { return R"({"model":"m","input":"Hi")" + more + "}"; }

json error_of(const Client& client) {
  EXPECT_TRUE(client.whole());
  EXPECT_EQ(client.header("content-type"), "application/json");
  const json body = json::parse(client.body(), nullptr, false);
  EXPECT_TRUE(body.is_object()) << client.body();
  return body.value("error", json::object());
}

TEST(Paths, ResponsesAreStreamed) {
  const Served served;
  auto [client, connection, request] = served.ask(
      responses_request(R"(,"stream":true,"tools":[{"type":"custom","name":"p"}])"), "", kResponses);
  EXPECT_EQ(request.line, "POST /v1/chat/completions HTTP/1.1");
  EXPECT_EQ(json::parse(request.body)["tools"][0]["function"]["name"], "p");
  connection.begin_stream();
  connection.chunk(text_event("word"));
  EXPECT_TRUE(read_text(client, R"("delta":"word")")) << "at once";
  connection.chunk(
      "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"p\","
      "\"arguments\":\"{\\\"input\\\":\\\"raw\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n");
  connection.chunk("data: [DONE]\n\n");
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_EQ(client.header("content-type"), "text/event-stream");
  EXPECT_NE(client.body().find(
                R"("type":"custom_tool_call","status":"completed","call_id":"c","name":"p","input":"raw")"),
            std::string::npos);
  EXPECT_NE(client.body().find("event: response.completed\n"), std::string::npos);
}

TEST(Paths, ResponsesAreWhole) {
  const Served served;
  auto [client, connection, request] = served.ask(responses_request(""), "", kResponses);
  connection.begin_stream();
  connection.chunk(text_event("word") + kFinish);
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_EQ(client.header("content-type"), "application/json");
  const json response = json::parse(client.body());
  EXPECT_EQ(response["object"], "response");
  EXPECT_EQ(response["status"], "completed");
  EXPECT_EQ(response["output"][0]["content"][0]["text"], "word");
  EXPECT_GT(response["created_at"], 1700000000);
}

TEST(Paths, ChatIsStreamedAndWhole) {
  const Served served;
  const std::string request = R"({"model":"m","messages":[{"role":"user","content":"Hi"}])";
  const std::string first = text_event("word");
  const std::string last =
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n" + kFinish;
  {
    auto [client, connection, asked] = served.ask(request + R"(,"stream":true})", "", kChat);
    connection.begin_stream();
    connection.chunk(first);
    EXPECT_TRUE(read_text(client, R"("delta":{"content":"word"})")) << "at once";
    connection.chunk(last);
    client.read_all();
    EXPECT_EQ(client.header("content-type"), "text/event-stream");
    EXPECT_EQ(client.body().find("usage"), std::string::npos) << "nobody asked for it";
    EXPECT_EQ(client.body().substr(client.body().size() - 14), "data: [DONE]\n\n");
  }
  auto [client, connection, asked] = served.ask(request + "}", "", kChat);
  connection.begin_stream();
  connection.chunk(first + last);
  client.read_all();
  const json completion = json::parse(client.body());
  EXPECT_EQ(completion["object"], "chat.completion");
  EXPECT_EQ(completion["choices"][0]["message"]["content"], "word");
  EXPECT_EQ(completion["usage"]["total_tokens"], 5);
}

TEST(Paths, AnErrorBeforeTheStreamHasAStatusAndTheProtocolsShape) {
  const Served served;
  for (const std::string stream : {"true", "false"}) {
    SCOPED_TRACE(stream);
    {
      auto [client, connection, request] =
          served.ask(responses_request(",\"stream\":" + stream), "", kResponses);
      connection.answer("429 Too Many", "Content-Type: application/json\r\nRetry-After: 7\r\n",
                        R"({"error":{"message":"slow down","code":"rate_limit_exceeded"}})");
      client.read_all();
      EXPECT_EQ(client.status(), 429);
      EXPECT_EQ(client.header("retry-after"), "7");
      EXPECT_EQ(error_of(client),
                json::parse(R"({"message":"slow down","type":"rate_limit_error","param":null,
          "code":"rate_limit_exceeded"})"));
    }
    auto [client, connection, request] =
        served.ask(responses_request(",\"stream\":" + stream), "", kResponses);
    connection.begin_stream();
    connection.chunk("data: {\"error\":{\"message\":\"bad key\",\"code\":401}}\n\n");
    client.read_all();
    EXPECT_EQ(client.status(), 401);
    EXPECT_EQ(error_of(client)["code"], "invalid_api_key");
  }
  Client client(served.proxy.port());
  client.post(kResponses, responses_request(R"(,"previous_response_id":"resp_1")"));
  client.read_all();
  EXPECT_EQ(client.status(), 400);
  EXPECT_EQ(error_of(client)["message"].get<std::string>().substr(0, 20), "previous_response_id");
}

TEST(Paths, AnErrorWithinTheStreamFailsTheResponse) {
  const Served served;
  auto [client, connection, request] = served.ask(responses_request(R"(,"stream":true)"), "", kResponses);
  connection.begin_stream();
  connection.chunk(text_event("word"));
  connection.reset();
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_TRUE(client.whole());
  const std::size_t last = client.body().rfind("event: ");
  EXPECT_EQ(client.body().substr(last, 22), "event: response.failed");
}

TEST(Paths, AWebSocketIsAnswered426) {
  const Served served;
  Client client(served.proxy.port());
  EXPECT_TRUE(client.socket().send(
      "GET /v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"));
  client.read_until([&] { return client.whole(); });
  EXPECT_EQ(client.status(), 426);
  EXPECT_FALSE(error_of(client)["message"].get<std::string>().empty());
  client.next_response();
  EXPECT_TRUE(client.socket().send("GET /v1/responses HTTP/1.1\r\nHost: x\r\n\r\n"));
  client.read_until([&] { return client.whole(); });
  EXPECT_EQ(client.status(), 405) << "no upgrade";
}

}  // namespace
}  // namespace splitproof::server
