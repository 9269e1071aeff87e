// Clients of Responses over WebSocket: answers over real sockets.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "tests/proxy/server/served.hpp"
#include "tests/proxy/server/websocket_peer.hpp"

namespace splitproof::server::websocket_test {
namespace {

using nlohmann::json;
using Kind = wire::WebSocketEvent::Kind;

// Reads the proxy's next request, and answers it with a text.
json answer_with(const Served& served, const std::string& text) {
  UpstreamConnection connection = served.upstream.accept();
  const Request request = connection.request();
  connection.begin_stream();
  connection.chunk(text_event(text) + kFinish);
  connection.last_chunk();
  connection.delivered();
  return json::parse(request.body);
}

std::string text_of(const std::vector<json>& answer) {
  std::string text;
  for (const json& event : answer) {
    if (event["type"] == "response.output_text.delta") text += event["delta"].get<std::string>();
  }
  return text;
}

std::uint16_t close_code(WebSocketPeer& client) {
  for (;;) {
    const auto event = client.next();
    if (!event) return 0;
    if (event->kind == Kind::close) return event->code;
  }
}

TEST(WebSocket, AnswerIsOneEventAMessageInOrder) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  EXPECT_TRUE(client.text(create("Hi")));
  EXPECT_EQ(answer_with(served, "Hello")["messages"][0]["content"], "Hi");
  const auto answer = client.answer();
  ASSERT_GE(answer.size(), 5U);
  EXPECT_EQ(answer.front()["type"], "response.created");
  for (std::size_t i = 0; i < answer.size(); ++i) EXPECT_EQ(answer[i]["sequence_number"], i);
  EXPECT_EQ(text_of(answer), "Hello");
  EXPECT_EQ(answer.back()["type"], "response.completed");
  EXPECT_TRUE(client.farewell(1000));
  EXPECT_EQ(close_code(client), 1000);
  EXPECT_FALSE(client.next());
  const std::string log = served.proxy.log();
  const std::size_t line = log.find("WS /v1/responses 200 ");
  ASSERT_NE(line, std::string::npos) << log;
  EXPECT_EQ(log.substr(line, log.find('\n', line) - line).find(" 0 bytes"), std::string::npos) << log;
}

TEST(WebSocket, AnswersFollowOneAnotherWithTheConversation) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  EXPECT_EQ(answer_with(served, "first")["messages"].size(), 1U);
  const auto first = client.answer();
  client.text(create("two", after(first)));
  const json second_request = answer_with(served, "second");
  ASSERT_EQ(second_request["messages"].size(), 3U);
  EXPECT_EQ(second_request["messages"][1]["content"], "first");
  EXPECT_EQ(second_request["messages"][2]["content"], "two");
  const auto second = client.answer();
  EXPECT_EQ(text_of(second), "second");
  EXPECT_EQ(second.front()["response"]["previous_response_id"], first.back()["response"]["id"]);
  EXPECT_NE(second.back()["response"]["id"], first.back()["response"]["id"]);
  client.text(create("three", after(second)));
  EXPECT_EQ(answer_with(served, "third")["messages"].size(), 5U);
  client.answer();
  // Back to the first answer.
  client.text(create("other", after(first)));
  const json forked = answer_with(served, "fork");
  EXPECT_EQ(forked["messages"].size(), 3U);
  EXPECT_EQ(forked["messages"][2]["content"], "other");
  client.answer();
  client.text(create("gone", after(second)));
  EXPECT_EQ(client.message()["error"]["code"], "previous_response_not_found");
  client.text(create("new"));
  EXPECT_EQ(answer_with(served, "again")["messages"].size(), 1U);
  EXPECT_EQ(client.answer().back()["type"], "response.completed");
}

TEST(WebSocket, AnswerOfAnotherConnectionIsUnknown) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  answer_with(served, "first");
  const auto first = client.answer();
  WebSocketPeer other = dial(served.proxy);
  other.text(create("two", after(first)));
  const json error = other.message();
  EXPECT_EQ(error["type"], "error");
  EXPECT_EQ(error["status"], 400);
  EXPECT_EQ(error["error"]["code"], "previous_response_not_found");
}

TEST(WebSocket, PreparingRequestMakesNoCallAndCanBeContinued) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one", R"(,"generate":false)"));
  const auto prepared = client.answer();
  ASSERT_EQ(prepared.back()["type"], "response.completed");
  EXPECT_EQ(prepared.front()["type"], "response.created");
  EXPECT_EQ(prepared.back()["response"]["output"], json::array());
  EXPECT_FALSE(served.upstream.waiting());
  client.text(R"({"type":"response.create","model":"m","input":[])" + after(prepared) + "}");
  const json request = answer_with(served, "Yes");
  ASSERT_EQ(request["messages"].size(), 1U);
  EXPECT_EQ(request["messages"][0]["content"], "one");
  EXPECT_EQ(text_of(client.answer()), "Yes");
}

TEST(WebSocket, EarlyRequestWaitsForTheCurrentAnswer) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  client.text(create("two"));
  {
    UpstreamConnection first = served.upstream.accept();
    first.request();
    first.begin_stream();
    first.chunk(text_event("first"));
    while (client.message()["type"] != "response.output_text.delta") {
    }
    EXPECT_FALSE(served.upstream.waiting());
    first.chunk(kFinish);
    first.last_chunk();
    EXPECT_EQ(client.answer().back()["type"], "response.completed");
  }
  // The proxy may have sent the second request over the first connection. That is closed now, so it asks again.
  answer_with(served, "second");
  const auto second = client.answer();
  EXPECT_EQ(second.front()["type"], "response.created");
  EXPECT_EQ(text_of(second), "second");
}

TEST(WebSocket, LargeRequestIsServed) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  const std::string large(300'000, 'x');
  client.text(create(large));
  EXPECT_EQ(answer_with(served, "first")["messages"][0]["content"], large);
  const auto first = client.answer();
  client.text(create("small", after(first)));
  EXPECT_EQ(answer_with(served, "second")["messages"].size(), 3U);
  EXPECT_EQ(text_of(client.answer()), "second");
}

TEST(WebSocket, UpstreamErrorHasItsStatusAndTheConnectionStays) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.answer(
      "429 Too Many Requests", "Retry-After: 7\r\n",
      R"({"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}})");
  const json error = client.message();
  EXPECT_EQ(error["type"], "error");
  EXPECT_EQ(error["status"], 429);
  EXPECT_EQ(error["error"]["message"], "slow down");
  EXPECT_EQ(error["headers"]["retry-after"], "7");
  client.text("not JSON");
  EXPECT_EQ(client.message()["error"]["code"], "invalid_json");
  client.text(create("two"));
  answer_with(served, "fine");
  EXPECT_EQ(text_of(client.answer()), "fine");
}

TEST(WebSocket, CutUpstreamFailsTheAnswerAndTheConversationStays) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  answer_with(served, "first");
  const auto first = client.answer();
  client.text(create("two", after(first)));
  UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  connection.chunk(text_event("half"));
  connection.reset();
  EXPECT_EQ(client.answer().back()["type"], "response.failed");
  client.text(create("two", after(first)));
  EXPECT_EQ(answer_with(served, "second")["messages"].size(), 3U);
  EXPECT_EQ(text_of(client.answer()), "second");
}

TEST(WebSocket, PingIsAnsweredAlsoInsideAMessage) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  std::string first;
  std::string rest;
  const std::string message = create("Hi");
  const std::array<char, 4> mask{1, 2, 3, 4};
  wire::append_text_frame(first, message.substr(0, 10), mask);
  first[0] = '\x01';
  wire::append_ping_frame(first, "between", mask);
  wire::append_text_frame(rest, message.substr(10), mask);
  rest[0] = '\x80';
  client.socket().send(first);
  const auto pong = client.next();
  ASSERT_TRUE(pong);
  EXPECT_EQ(*pong, (wire::WebSocketEvent{Kind::pong, "between", 0}));
  for (const char c : rest) client.socket().send(std::string(1, c));
  answer_with(served, "Hello");
  EXPECT_EQ(text_of(client.answer()), "Hello");
}

TEST(WebSocket, BrokenFramesCloseWithTheirCode) {
  const Served served("limits:\n  request-bytes: 1000\n");
  const std::array<char, 4> mask{1, 2, 3, 4};
  std::string binary;
  wire::append_text_frame(binary, "x", mask);
  binary[0] = '\x82';
  std::string garbled;
  wire::append_text_frame(garbled, "\xFF", mask);
  std::string large;
  wire::append_text_frame(large, std::string(1001, 'x'), mask);
  std::string compressed;
  wire::append_text_frame(compressed, "x", mask);
  compressed[0] = '\xC1';
  const std::vector<std::pair<std::string, int>> cases = {
      {"\x81\x01x", 1002}, {binary, 1003}, {garbled, 1007}, {large, 1009}, {compressed, 1002}};
  for (const auto& [bytes, code] : cases) {
    WebSocketPeer client = dial(served.proxy, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
    client.socket().send(bytes);
    EXPECT_EQ(close_code(client), code);
    EXPECT_FALSE(client.next()) << "nothing follows a close";
  }
}

TEST(WebSocket, CloseOfTheClientCancelsTheUpstream) {
  const Served served;
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  connection.chunk(text_event("half"));
  while (client.message()["type"] != "response.output_text.delta") {
  }
  client.farewell(4000);
  EXPECT_TRUE(connection.peer_closes());
  EXPECT_EQ(close_code(client), 4000);
  EXPECT_FALSE(client.next());
  WebSocketPeer left = dial(served.proxy);
  left.text(create("two"));
  UpstreamConnection other = served.upstream.accept();
  other.request();
  left.reset();
  EXPECT_TRUE(other.peer_closes());
}

TEST(WebSocket, SlowClientSlowsTheUpstream) {
  const Served served;
  WebSocketPeer client = dial(served.proxy, {}, 4096);
  client.text(create("much"));
  UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  const std::string piece = as_chunk(text_event(std::string(1000, 'x')));
  std::size_t sent = 0;
  const std::size_t all = 30'000 * piece.size();
  for (int idle = 0; sent < all && idle < 200;) {
    const std::size_t at = sent % piece.size();
    const std::size_t n = connection.send_some(std::string_view(piece).substr(at));
    sent += n;
    idle = n == 0 ? idle + 1 : 0;
    if (n == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LT(sent, all) << "the proxy has read everything";
  std::thread rest([&] {
    connection.send(std::string_view(piece).substr(sent % piece.size()));
    connection.chunk(kFinish);
    connection.last_chunk();
  });
  const auto answer = client.answer();
  rest.join();
  EXPECT_EQ(answer.back()["type"], "response.completed");
  EXPECT_EQ(text_of(answer).size(), (sent / piece.size() + 1) * 1000);
}

TEST(WebSocket, SilentUpstreamIsBridgedByPings) {
  const Served served("timeouts:\n  ping: 50ms\n");
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  connection.chunk(text_event("half"));
  for (int pings = 0; pings < 2;) {
    const auto event = client.next();
    ASSERT_TRUE(event);
    if (event->kind == Kind::ping) ++pings;
  }
  connection.chunk(kFinish);
  connection.last_chunk();
  EXPECT_EQ(client.answer().back()["type"], "response.completed");
}

TEST(WebSocket, OldConnectionEndsWithTheProvidersError) {
  const Served served("timeouts:\n  websocket-age: 100ms\n");
  WebSocketPeer client = dial(served.proxy);
  EXPECT_EQ(client.message()["error"]["code"], "websocket_connection_limit_reached");
  EXPECT_EQ(close_code(client), 1000);
  EXPECT_FALSE(client.next());
}

TEST(WebSocket, VanishedClientIsNoticed) {
  const Served served("timeouts:\n  client: 50ms\n");
  WebSocketPeer client = dial(served.proxy);
  const auto ping = client.next();
  ASSERT_TRUE(ping);
  EXPECT_EQ(ping->kind, Kind::ping);
  EXPECT_EQ(close_code(client), 1001) << "without an answer to the ping";
}

TEST(WebSocket, EndOfTheServerClosesAfterTheAnswer) {
  Served served("timeouts:\n  shutdown: 5s\n");
  WebSocketPeer idle = dial(served.proxy);
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  connection.chunk(text_event("half"));
  while (client.message()["type"] != "response.output_text.delta") {
  }
  served.proxy.send(SIGTERM);
  EXPECT_EQ(close_code(idle), 1001);
  connection.chunk(kFinish);
  connection.last_chunk();
  EXPECT_EQ(client.answer().back()["type"], "response.completed");
  EXPECT_EQ(close_code(client), 1001);
  idle.close();
  client.close();
  EXPECT_EQ(served.proxy.end(0), 0);
  EXPECT_NE(served.proxy.log().find("WS /v1/responses 200 "), std::string::npos) << served.proxy.log();
  EXPECT_NE(served.proxy.log().find("GET /v1/responses 101 "), std::string::npos) << served.proxy.log();
}

TEST(WebSocket, SecondSignalFailsTheAnswer) {
  Served served("timeouts:\n  shutdown: 60s\n");
  WebSocketPeer client = dial(served.proxy);
  client.text(create("one"));
  UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  connection.chunk(text_event("half"));
  while (client.message()["type"] != "response.output_text.delta") {
  }
  served.proxy.send(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  served.proxy.send(SIGTERM);
  EXPECT_EQ(client.answer().back()["type"], "response.failed");
  EXPECT_EQ(close_code(client), 1001);
}

}  // namespace
}  // namespace splitproof::server::websocket_test
