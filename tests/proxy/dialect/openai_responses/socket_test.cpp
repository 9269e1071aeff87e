// Responses over WebSocket: messages of clients and upstreams.

#include "proxy/dialect/openai_responses/socket.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace splitproof::proxy::dialect::socket_test {
namespace {

using nlohmann::json;

constexpr TurnRules kRules = {128, 10'000, false};

// A connection with the conversation of one answer.
std::optional<std::string_view> find(std::string_view id) {
  return id == "resp_1" ? std::optional<std::string_view>(R"({"role":"user"},{"role":"assistant"})")
                        : std::nullopt;
}

SocketTurn turn_of(const std::string& members) {
  const auto read =
      kResponsesSocket.read_turn(R"({"type":"response.create","model":"m")" + members + "}", kRules, find);
  EXPECT_TRUE(read && *read);
  return read && *read ? **read : SocketTurn{};
}

json error_of(const std::string& message, const TurnRules& rules = kRules) {
  const auto read = kResponsesSocket.read_turn(message, rules, find);
  EXPECT_FALSE(read);
  if (read) return {};
  const json frame = json::parse(kResponsesSocket.error_message(read.error()));
  EXPECT_EQ(frame["type"], "error");
  EXPECT_EQ(frame["status"], read.error().status);
  return frame["error"];
}

TEST(ResponsesSocket, RequestIsPostedWithoutMembersOfTheTransport) {
  const SocketTurn turn =
      turn_of(R"(,"generate":true,"background":true,"stream":false,"input":[{"role":"user"}],"x":1)");
  EXPECT_EQ(json::parse(turn.body),
            json::parse(R"({"stream":true,"model":"m","x":1,"input":[{"role":"user"}]})"));
  EXPECT_EQ(turn.items, R"({"role":"user"})");
  EXPECT_TRUE(turn.generates);
  EXPECT_EQ(turn.previous, "");
}

TEST(ResponsesSocket, ContinuedRequestHasTheWholeConversation) {
  const SocketTurn turn = turn_of(R"(,"previous_response_id":"resp_1","input":"and \"now\"?")");
  EXPECT_EQ(turn.previous, "resp_1");
  const json input = json::parse(turn.body)["input"];
  ASSERT_EQ(input.size(), 3U);
  EXPECT_EQ(input[1]["role"], "assistant");
  EXPECT_EQ(input[2]["content"][0]["text"], "and \"now\"?");
  EXPECT_FALSE(json::parse(turn.body).contains("previous_response_id"));
}

TEST(ResponsesSocket, RequestWithoutNewInputContinues) {
  EXPECT_EQ(json::parse(turn_of(R"(,"previous_response_id":"resp_1","input":[])").body)["input"].size(), 2U);
  EXPECT_EQ(json::parse(turn_of(R"(,"previous_response_id":"resp_1")").body)["input"].size(), 2U);
  EXPECT_FALSE(turn_of(R"(,"generate":false)").generates);
}

TEST(ResponsesSocket, InputOfAnotherKindIsLeftForTheRequestsReader) {
  EXPECT_EQ(json::parse(turn_of(R"(,"input":7)").body)["input"], 7);
}

TEST(ResponsesSocket, UnknownAnswerIsAnErrorUnlessTheUpstreamMayKnowIt) {
  const std::string message =
      R"({"type":"response.create","model":"m","previous_response_id":"resp_2","input":[]})";
  const json error = error_of(message);
  EXPECT_EQ(error["code"], "previous_response_not_found");
  EXPECT_EQ(error["param"], "previous_response_id");
  TurnRules stored = kRules;
  stored.stored_too = true;
  const auto read = kResponsesSocket.read_turn(message, stored, find);
  ASSERT_TRUE(read && *read);
  EXPECT_EQ(json::parse((*read)->body)["previous_response_id"], "resp_2");
}

TEST(ResponsesSocket, OtherMessagesAreErrors) {
  EXPECT_EQ(error_of("hello")["code"], "invalid_json");
  EXPECT_EQ(error_of("[]")["code"], "invalid_json");
  EXPECT_EQ(error_of(R"({"type":"response.cancel"})")["param"], "type");
  EXPECT_EQ(error_of(R"({"type":"response.create","generate":1})")["param"], "generate");
  EXPECT_EQ(error_of(R"({"type":"response.create","stream_id":"a"})")["param"], "stream_id");
  const std::string large = R"({"type":"response.create","input":")" + std::string(10'000, 'x') + "\"}";
  EXPECT_EQ(error_of(large)["code"], "request_too_large");
  const auto acknowledged =
      kResponsesSocket.read_turn(R"({"type":"response.processed","response_id":"resp_1"})", kRules, find);
  ASSERT_TRUE(acknowledged);
  EXPECT_FALSE(*acknowledged);
}

TEST(ResponsesSocket, ItemsOfAnAnswerAreRepeatedWithoutIds) {
  const SocketEvent item = kResponsesSocket.read_event(
      R"({"type":"response.output_item.done","item":{"id":"msg_1","type":"message","role":"assistant"}})");
  EXPECT_EQ(item.item, R"({"type":"message","role":"assistant"})");
  EXPECT_FALSE(item.last);
  const auto reasoning = [](const std::string& more) {
    return kResponsesSocket
        .read_event(R"({"type":"response.output_item.done","item":{"id":"rs_1","type":"reasoning")" + more +
                    "}}")
        .item;
  };
  EXPECT_EQ(reasoning(R"(,"summary":[])"), "");
  EXPECT_EQ(reasoning(R"(,"encrypted_content":"x")"),
            R"({"id":"rs_1","type":"reasoning","encrypted_content":"x"})");
}

TEST(ResponsesSocket, OnlyLastEventsEndAnAnswer) {
  const auto read = [](const std::string& type) {
    return kResponsesSocket.read_event(
        R"({"response":{"id":"resp_9","output":[{"id":"a","type":"message"},{"type":"x"}]},"type":")" + type +
        "\"}");
  };
  for (const char* good : {"response.completed", "response.incomplete"}) {
    EXPECT_TRUE(read(good).last) << good;
    EXPECT_EQ(read(good).answered, "resp_9");
    EXPECT_EQ(read(good).output, R"({"type":"message"},{"type":"x"})");
  }
  for (const char* bad : {"response.failed", "error"}) {
    EXPECT_TRUE(read(bad).last) << bad;
    EXPECT_EQ(read(bad).answered, "");
  }
  for (const char* other : {"response.created", "response.in_progress", "response.output_text.delta"})
    EXPECT_FALSE(read(other).last) << other;
  // A word in a text is no type.
  EXPECT_FALSE(
      kResponsesSocket.read_event(R"({"type":"response.output_text.delta","delta":"\"response.completed\""})")
          .last);
  EXPECT_FALSE(
      kResponsesSocket.read_event(R"({"type":"response.output_text.delta","delta":"response.completed"})")
          .last);
}

TEST(ResponsesSocket, PostedRequestBecomesAMessage) {
  EXPECT_EQ(kResponsesSocket.request_message(R"({"model":"m","stream":true,"store":false,"input":[]})"),
            R"({"type":"response.create","model":"m","store":false,"input":[]})");
}

TEST(ResponsesSocket, MessageOfAnUpstreamBecomesAnEvent) {
  std::string events;
  kResponsesSocket.append_event(events, "{\"type\":\"response.created\",\n\"x\":1}");
  kResponsesSocket.append_event(events, "{\"type\":\"a\\nb\"}");
  kResponsesSocket.append_event(events, "no JSON");
  EXPECT_EQ(events,
            "event: response.created\ndata: {\"type\":\"response.created\",\ndata: \"x\":1}\n\n"
            "data: {\"type\":\"a\\nb\"}\n\ndata: no JSON\n\n");
}

TEST(ResponsesSocket, ErrorsOfAnUpstreamAreReadWithTheirStatus) {
  const auto limited = kResponsesSocket.read_error(
      R"({"type":"error","status":429,"error":{"message":"slow down","code":"rate_limit_exceeded"},"headers":{"retry-after":"7"}})");
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->answer.status, 429);
  EXPECT_EQ(limited->answer.retry_after, "7");
  EXPECT_EQ(json::parse(limited->answer.body)["error"]["message"], "slow down");
  EXPECT_FALSE(limited->expired);
  const auto flat = kResponsesSocket.read_error(R"({"type":"error","code":"server_error","message":"oops"})");
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->answer.status, 500);
  EXPECT_EQ(json::parse(flat->answer.body)["error"]["message"], "oops");
  const auto old = kResponsesSocket.read_error(
      R"({"type":"error","status":400,"error":{"code":"websocket_connection_limit_reached","message":"60 minutes"}})");
  ASSERT_TRUE(old);
  EXPECT_TRUE(old->expired);
  EXPECT_FALSE(kResponsesSocket.read_error(R"({"type":"response.created","response":{"error":null}})"));
}

TEST(ResponsesSocket, AgeLimitIsReadAsSuch) {
  const auto read = kResponsesSocket.read_error(kResponsesSocket.error_message(kResponsesSocket.too_old(60)));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->expired);
  EXPECT_EQ(read->answer.status, 400);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::socket_test
