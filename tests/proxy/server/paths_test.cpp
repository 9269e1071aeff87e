// Each client protocol has its own path with its own streams, whole answers and errors.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::paths_test {
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
  auto [client, connection, request] = served.ask(responses_request(R"(,"top_p":0.5)"), "", kResponses);
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
  EXPECT_GE(response["completed_at"], response["created_at"]);
  EXPECT_EQ(response["top_p"], 0.5);
}

constexpr const char* kAsked =
    R"({ "model":"m", "n":2, "messages":[{"role":"user","content":"H\u0069"}], "seed":12345678901234567890, "model":"m"})";

// The protocol is the upstream's own.
TEST(Paths, ChatIsPassedOnAsItComes) {
  const Served served("models: {m: other}\n");
  std::string request = kAsked;
  request.insert(1, R"("stream":true,)");
  auto [client, connection, asked] =
      served.ask(request, "OpenAI-Project: p\r\nX-Other: o\r\nauthorization: Bearer k\r\n", kChat);
  EXPECT_EQ(asked.line, "POST /v1/chat/completions HTTP/1.1");
  EXPECT_EQ(asked.headers["openai-project"], "p");
  EXPECT_EQ(asked.headers["x-other"], "");
  EXPECT_EQ(asked.headers["authorization"], "Bearer k");
  EXPECT_EQ(asked.headers["accept"], "text/event-stream");
  for (std::size_t at = 0; (at = request.find("\"m\"", at)) != std::string::npos;)
    request.replace(at, 3, "\"other\"");
  EXPECT_EQ(asked.body, request);
  connection.begin_stream();
  const std::string first = ": c\r\n\r\n" + text_event("wo\\u0072d");
  connection.chunk(first);
  EXPECT_TRUE(client.read_until([&, &client = client] { return client.body() == first; })) << "at once";
  connection.chunk(kFinish);
  client.read_all();
  EXPECT_EQ(client.header("content-type"), "text/event-stream");
  EXPECT_EQ(client.body(), first + kFinish);
  EXPECT_TRUE(client.whole());
}

TEST(Paths, ChatIsEncodedAgainIfRequested) {
  const Served served("relay: raw\n", {"--relay", "encode"});
  auto [client, connection, asked] = served.ask(R"({"model":"m","stream":true})", "", kChat);
  connection.begin_stream();
  connection.chunk(": c\n\ndata:{\"choices\": [\ndata: ]}\r\n\r\n" + kFinish);
  client.read_all();
  EXPECT_EQ(client.body(), "data: {\"choices\":[]}\n\n" + kFinish);
}

TEST(Paths, ChatThatIsNotStreamedIsPassedOnAsItComes) {
  const Served served;
  for (const std::string body : {R"({ "choices":[], "n":12345678901234567890 })", "{}", "[", ""}) {
    auto [client, connection, asked] = served.ask(kAsked, "", kChat);
    EXPECT_EQ(asked.body, kAsked);
    EXPECT_EQ(asked.headers["accept"], "application/json");
    connection.answer("200 OK", "Content-Type: application/json\r\n", body);
    client.read_all();
    EXPECT_EQ(client.header("content-type"), "application/json");
    if (body.ends_with("}")) {
      EXPECT_EQ(client.status(), 200);
      EXPECT_EQ(client.body(), body);
    } else {
      EXPECT_EQ(client.status(), 502);
      EXPECT_EQ(error_of(client)["message"], "the upstream's answer is not JSON");
    }
  }
  auto [client, connection, asked] = served.ask(kAsked, "", kChat);
  connection.reset();
  client.read_all();
  EXPECT_EQ(client.status(), 502);
}

TEST(Paths, ErrorsOfAnUpstreamOfTheSameProtocolStayAsTheyCame) {
  const Served served;
  const std::string own = R"({ "error":{"message":"no such", "type":"t", "extra":1}})";
  for (const std::string stream : {"true", "false"}) {
    const std::string request = R"({"model":"m","stream":)" + stream + "}";
    for (const std::string& body : {own, std::string("<html>")}) {
      auto [client, connection, asked] = served.ask(request, "", kChat);
      connection.answer("418 Odd", "Content-Type: application/json\r\nRetry-After: 7\r\n", body);
      client.read_all();
      EXPECT_EQ(client.header("retry-after"), "7");
      EXPECT_EQ(client.status(), body == own ? 418 : 400);
      EXPECT_EQ(client.body() == own, body == own);
      EXPECT_FALSE(error_of(client)["message"].get<std::string>().empty());
    }
  }
  const std::string event = "data: {\"error\":{\"message\":\"no\"}}\n\n";
  for (const bool whole : {true, false}) {
    auto [client, connection, asked] = served.ask(R"({"model":"m","stream":true})", "", kChat);
    connection.begin_stream();
    if (whole) connection.chunk(event);
    connection.reset();
    client.read_all();
    EXPECT_EQ(client.status(), whole ? 200 : 502) << "what is not the upstream's has a status of its own";
    EXPECT_EQ(client.body() == event, whole);
  }
  for (const char* wrong : {"[", "[]", "{}", R"({"model":7})", R"({"model":"m","stream":1})"}) {
    Client client(served.proxy.port());
    client.post(kChat, wrong);
    client.read_all();
    EXPECT_EQ(client.status(), 400) << wrong;
  }
}

// A silent upstream with an open connection delays no client.
TEST(Paths, MessageThatEndedInAnErrorIsOver) {
  const Served served;
  auto [client, connection, asked] = served.ask(R"({"model":"m","stream":true})", "", kChat);
  connection.begin_stream();
  connection.chunk(text_event("word") + "data: {\"error\":{\"message\":\"no\"}}\n\n");
  client.read_all();
  EXPECT_TRUE(client.whole());
}

TEST(Paths, ErrorBeforeTheStreamHasAStatusAndTheProtocolsShape) {
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

TEST(Paths, ErrorWithinTheStreamFailsTheResponse) {
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

TEST(Paths, WebSocketIsAnswered426WhereThereIsNone) {
  const Served served;
  for (const char* path : {"/v1/messages", "/v1/chat/completions"}) {
    Client client(served.proxy.port());
    EXPECT_TRUE(client.socket().send(
        std::string("GET ") + path +
        " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"));
    client.read_until([&] { return client.whole(); });
    EXPECT_EQ(client.status(), 426);
    EXPECT_FALSE(error_of(client)["message"].get<std::string>().empty());
    client.next_response();
    EXPECT_TRUE(client.socket().send(std::string("GET ") + path + " HTTP/1.1\r\nHost: x\r\n\r\n"));
    client.read_until([&] { return client.whole(); });
    EXPECT_EQ(client.status(), 405) << "no upgrade";
  }
}

}  // namespace
}  // namespace splitproof::server::paths_test
