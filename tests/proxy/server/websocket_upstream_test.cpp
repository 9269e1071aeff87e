// Upstreams of Responses over WebSocket, for clients over HTTP and WebSocket.

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/proxy/server/served.hpp"
#include "tests/proxy/server/websocket_peer.hpp"

namespace splitproof::server::websocket_upstream_test {
namespace {

using nlohmann::json;
using Kind = wire::WebSocketEvent::Kind;

const std::string kAsks = R"({"stream":true,"model":"m","messages":[{"role":"user","content":"Hi"}]})";
constexpr const char* kChat = "/v1/chat/completions";
const std::string kRelayed = R"({"stream":true,"model":"m","input":"Hi"})";

const std::string kCreated = R"({"type":"response.created","response":{"id":"resp_1","model":"m"}})";
const std::string kAdded =
    R"({"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"message","role":"assistant","content":[]}})";
const std::string kPart =
    R"({"type":"response.content_part.added","output_index":0,"content_index":0,"item_id":"i","part":{"type":"output_text","text":""}})";
const std::string kDelta =
    R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"i","delta":"Yes."})";
const std::string kDone =
    R"({"type":"response.output_item.done","output_index":0,"item":{"id":"i","type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}})";
const std::string kCompleted =
    R"({"type":"response.completed","response":{"id":"resp_1","model":"m","output":[],"usage":{"input_tokens":3,"output_tokens":2}}})";

struct SocketServed {
  explicit SocketServed(const std::string& config = {})
      : proxy("ws" + upstream.url().substr(4), config,
              {"--seed", "1", "--upstream-protocol", "openai.responses"}) {}

  Client ask(const std::string& body = kAsks, const std::string& headers = {},
             const std::string& path = kChat) const {
    Client client(proxy.port());
    client.post(path, body, headers);
    return client;
  }

  Upstream upstream;
  ProxyProcess proxy;
};

// Returns an event as it is in an event stream.
std::string event_of(const std::string& data) {
  return "event: " + json::parse(data)["type"].get<std::string>() + "\ndata: " + data + "\n\n";
}

// A connection rests before it is used again.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

void send_answer(const WebSocketPeer& peer) {
  for (const std::string* event : {&kCreated, &kAdded, &kPart, &kDelta, &kDone, &kCompleted})
    peer.text(*event);
}

TEST(WebSocketUpstream, RequestGoesInAMessageAfterTheHandshake) {
  const SocketServed served;
  Client client = served.ask(kAsks, "Authorization: Bearer sk-1\r\n");
  auto [handshake, peer] = accept_socket(served.upstream);
  EXPECT_EQ(handshake.line, "GET /v1/responses HTTP/1.1");
  EXPECT_EQ(handshake.headers["upgrade"], "websocket");
  EXPECT_EQ(handshake.headers["sec-websocket-version"], "13");
  EXPECT_EQ(handshake.headers["authorization"], "Bearer sk-1");
  EXPECT_EQ(handshake.headers.count("sec-websocket-extensions"), 0U);
  const json request = peer.message();
  EXPECT_EQ(request["type"], "response.create");
  EXPECT_EQ(request["model"], "m");
  EXPECT_FALSE(request.contains("stream"));
  EXPECT_EQ(request["store"], false);
  send_answer(peer);
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_NE(client.body().find("\"content\":\"Yes.\""), std::string::npos) << client.body();
  EXPECT_TRUE(client.body().ends_with("data: [DONE]\n\n"));
}

TEST(WebSocketUpstream, WholeAnswerAndRelayAreServed) {
  const SocketServed served;
  Client whole = served.ask(R"({"model":"m","messages":[{"role":"user","content":"Hi"}]})");
  auto first = accept_socket(served.upstream);
  EXPECT_EQ(first.peer.message()["type"], "response.create");
  send_answer(first.peer);
  whole.read_all();
  EXPECT_EQ(json::parse(whole.body())["choices"][0]["message"]["content"], "Yes.");
  first.peer.close();
  Client relayed = served.ask(kRelayed, "OpenAI-Organization: o\r\n", kSocketPath);
  auto second = accept_socket(served.upstream);
  EXPECT_EQ(second.handshake.headers["openai-organization"], "o");
  EXPECT_EQ(second.peer.message()["input"], "Hi");
  send_answer(second.peer);
  relayed.read_all();
  std::string events;
  for (const std::string* event : {&kCreated, &kAdded, &kPart, &kDelta, &kDone, &kCompleted})
    events += event_of(*event);
  EXPECT_EQ(relayed.body(), events);
}

TEST(WebSocketUpstream, ClientOverWebSocketGetsTheEventsUnchanged) {
  const SocketServed served;
  WebSocketPeer client = dial(served.proxy, "OpenAI-Beta: responses_websockets=2026-02-06\r\n");
  client.text(create("one"));
  auto [handshake, peer] = accept_socket(served.upstream);
  EXPECT_EQ(handshake.headers["openai-beta"], "responses_websockets=2026-02-06");
  EXPECT_EQ(peer.message()["input"].size(), 1U);
  send_answer(peer);
  for (const std::string* event : {&kCreated, &kAdded, &kPart, &kDelta, &kDone, &kCompleted}) {
    const auto received = client.next();
    ASSERT_TRUE(received);
    EXPECT_EQ(received->data, *event);
  }
  rest();
  client.text(create("two", R"(,"previous_response_id":"resp_1")"));
  const json second = peer.message();
  ASSERT_TRUE(second.is_object()) << "not on the same connection";
  ASSERT_EQ(second["input"].size(), 3U);
  EXPECT_EQ(second["input"][1]["content"][0]["text"], "Yes.");
  EXPECT_FALSE(second.contains("previous_response_id"));
  send_answer(peer);
  EXPECT_EQ(client.answer().back()["type"], "response.completed");
}

TEST(WebSocketUpstream, ConnectionIsUsedAgainOnlyWithTheSameKey) {
  const SocketServed served;
  Client client(served.proxy.port());  // one connection, so one thread of the proxy
  for (const char* key : {"sk-1", "sk-2"}) {
    const std::string header = std::string("Authorization: Bearer ") + key + "\r\n";
    client.post(kChat, kAsks, header);
    auto [handshake, peer] = accept_socket(served.upstream);
    EXPECT_EQ(handshake.headers["authorization"], std::string("Bearer ") + key);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(peer.message()["type"], "response.create");
      send_answer(peer);
      client.read_all();
      EXPECT_EQ(client.status(), 200);
      client.next_response();
      rest();
      if (i < 2) client.post(kChat, kAsks, header);
    }
  }
}

// Expects that an answer which ends by `end` after its text is an error for the client.
template <class End>
void expect_failure(End end) {
  const SocketServed served;
  Client client = served.ask(kRelayed, {}, kSocketPath);
  auto [handshake, peer] = accept_socket(served.upstream);
  peer.message();
  for (const std::string* event : {&kCreated, &kAdded, &kPart, &kDelta}) peer.text(*event);
  end(peer);
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_TRUE(client.whole());
  EXPECT_NE(client.body().find("response.failed"), std::string::npos) << client.body();
  EXPECT_EQ(client.body().find("response.completed"), std::string::npos);
}

TEST(WebSocketUpstream, EndWithoutALastEventIsAnError) {
  expect_failure([](WebSocketPeer& peer) { peer.farewell(1000); });
  expect_failure([](WebSocketPeer& peer) { peer.farewell(1011); });
  expect_failure([](WebSocketPeer& peer) {
    peer.socket().delivered();
    peer.close();
  });
  expect_failure([](WebSocketPeer& peer) { peer.socket().send("\x82\x01x"); });
  expect_failure([](WebSocketPeer& peer) { peer.socket().send("\xC1\x01x"); });
  expect_failure([](WebSocketPeer& peer) { peer.text("not JSON"); });
}

TEST(WebSocketUpstream, CloseBeforeAnyEventIsAnErrorWithAStatus) {
  const SocketServed served;
  Client client = served.ask();
  auto [handshake, peer] = accept_socket(served.upstream);
  peer.message();
  peer.farewell(1000);
  client.read_all();
  EXPECT_EQ(client.status(), 502);
}

TEST(WebSocketUpstream, PingsAreAnsweredAndAreNoProgress) {
  const SocketServed served("timeouts:\n  idle: 400ms\n");
  Client client = served.ask(kRelayed, {}, kSocketPath);
  auto [handshake, peer] = accept_socket(served.upstream);
  peer.message();
  peer.text(kCreated);
  int pongs = 0;
  for (int i = 0; i < 100 && !client.whole(); ++i) {
    if (!peer.ping("p")) break;
    const auto event = peer.next();
    if (!event || event->kind == Kind::close) break;
    pongs += event->kind == Kind::pong ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_GE(pongs, 3);
  EXPECT_LT(pongs, 40) << "the pings kept the request alive";
  client.read_all();
  EXPECT_NE(client.body().find("response.failed"), std::string::npos);
}

TEST(WebSocketUpstream, FragmentsAreOneEvent) {
  const SocketServed served;
  Client client = served.ask();
  auto [handshake, peer] = accept_socket(served.upstream);
  peer.message();
  for (const std::string* event : {&kCreated, &kAdded, &kPart, &kDelta, &kDone, &kCompleted}) {
    std::string bytes;
    wire::append_text_frame(bytes, event->substr(0, 20));
    bytes[0] = '\x01';
    wire::append_ping_frame(bytes, "");
    std::string rest;
    wire::append_text_frame(rest, event->substr(20));
    rest[0] = '\x80';
    for (const char c : bytes + rest) peer.socket().send(std::string(1, c));
  }
  client.read_all();
  EXPECT_NE(client.body().find("\"content\":\"Yes.\""), std::string::npos) << client.body();
}

TEST(WebSocketUpstream, ErrorMessageHasItsStatus) {
  const SocketServed served;
  Client client = served.ask();
  auto [handshake, peer] = accept_socket(served.upstream);
  peer.message();
  peer.text(
      R"({"type":"error","status":429,"error":{"message":"slow down","type":"rate_limit_error"},"headers":{"retry-after":"9"}})");
  client.read_all();
  EXPECT_EQ(client.status(), 429);
  EXPECT_EQ(client.header("retry-after"), "9");
  EXPECT_EQ(json::parse(client.body())["error"]["message"], "slow down");
}

TEST(WebSocketUpstream, ErrorInsideAnAnswerIsAnError) {
  const SocketServed served;
  for (const bool relayed : {true, false}) {
    Client client = relayed ? served.ask(kRelayed, {}, kSocketPath) : served.ask();
    auto [handshake, peer] = accept_socket(served.upstream);
    peer.message();
    for (const std::string* event : {&kCreated, &kAdded, &kPart, &kDelta}) peer.text(*event);
    peer.text(R"({"type":"error","status":500,"error":{"message":"it broke","code":"server_error"}})");
    client.read_all();
    EXPECT_NE(client.body().find("it broke"), std::string::npos) << client.body();
    EXPECT_EQ(client.body().find("response.completed"), std::string::npos);
    EXPECT_EQ(client.body().find("[DONE]"), std::string::npos);
  }
}

TEST(WebSocketUpstream, UpstreamWithoutWebSocketGetsThePost) {
  const SocketServed served;
  Client client = served.ask(kAsks, "Authorization: Bearer sk-1\r\n");
  UpstreamConnection refusing = served.upstream.accept();
  EXPECT_EQ(refusing.request().headers["upgrade"], "websocket");
  refusing.answer("426 Upgrade Required", "", "{}");
  UpstreamConnection posted = served.upstream.accept();
  const Request request = posted.request();
  EXPECT_EQ(request.line, "POST /v1/responses HTTP/1.1");
  EXPECT_EQ(request.headers.at("authorization"), "Bearer sk-1");
  EXPECT_EQ(json::parse(request.body)["stream"], true);
  posted.begin_stream();
  for (const std::string* event : {&kCreated, &kAdded, &kPart, &kDelta, &kDone, &kCompleted})
    posted.chunk(event_of(*event));
  posted.last_chunk();
  client.read_all();
  EXPECT_NE(client.body().find("\"content\":\"Yes.\""), std::string::npos) << client.body();
}

TEST(WebSocketUpstream, OtherRefusalsAreTheAnswer) {
  const SocketServed served;
  for (const auto& [status, expected] : std::vector<std::pair<std::string, int>>{
           {"401 Unauthorized", 401}, {"404 Not Found", 404}, {"503 Busy", 503}}) {
    Client client = served.ask();
    UpstreamConnection connection = served.upstream.accept();
    connection.request();
    connection.answer(status, "", R"({"error":{"message":"no","type":"x"}})");
    client.read_all();
    EXPECT_EQ(client.status(), expected);
  }
}

TEST(WebSocketUpstream, WrongHandshakeIsAnError) {
  const SocketServed served;
  const std::string head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
  for (const std::string& answer :
       {head + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n", head + "\r\n",
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), std::string("garbage\r\n\r\n")}) {
    Client client = served.ask();
    UpstreamConnection connection = served.upstream.accept();
    connection.request();
    connection.send(answer);
    client.read_all();
    EXPECT_EQ(client.status(), 502) << answer;
  }
  Client client = served.ask();
  const auto extended = accept_socket(served.upstream, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
  client.read_all();
  EXPECT_EQ(client.status(), 502) << "an extension that nobody offered";
}

TEST(WebSocketUpstream, OldConnectionIsReplaced) {
  const SocketServed served;
  Client client = served.ask();
  auto old = accept_socket(served.upstream);
  const auto answer_on = [&](UpstreamPeer& connection) {
    EXPECT_EQ(connection.peer.message()["type"], "response.create");
    send_answer(connection.peer);
    client.read_all();
    EXPECT_EQ(client.status(), 200);
    client.next_response();
    rest();
  };
  answer_on(old);
  client.post(kChat, kAsks);
  EXPECT_EQ(old.peer.message()["type"], "response.create");
  old.peer.text(
      R"({"type":"error","status":400,"error":{"code":"websocket_connection_limit_reached","message":"60 minutes"}})");
  auto fresh = accept_socket(served.upstream);
  answer_on(fresh);
  client.post(kChat, kAsks);
  EXPECT_EQ(fresh.peer.message()["type"], "response.create");
  fresh.peer.farewell(1001);
  auto last = accept_socket(served.upstream);
  answer_on(last);
}

TEST(WebSocketUpstream, WrongUrlsAreRefused) {
  EXPECT_EQ(run_proxy({"--upstream", "ws://127.0.0.1:1/v1"}).code, 2);
  EXPECT_NE(run_proxy({"--upstream", "ws://127.0.0.1:1/v1"}).err.find("has none"), std::string::npos);
}

}  // namespace
}  // namespace splitproof::server::websocket_upstream_test
