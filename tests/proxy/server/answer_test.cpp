#include "proxy/server/answer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/anthropic_messages/message.hpp"
#include "harness/observe/trace.hpp"
#include "proxy/dialect/anthropic_messages/answer.hpp"
#include "proxy/wire/secret.hpp"
#include "tests/proxy/server/recordings.hpp"
#include "tests/proxy/server/served.hpp"

namespace splitproof::server::answer_test {
namespace {

using dialect::MessageBlock;
using nlohmann::json;
using namespace proxy::dialect;

// Returns a whole message in the form of the harness's streamed one. Its arguments are compared as values.
json meaning_of(const json& message) {
  json blocks = json::array();
  for (const json& block : message.at("content")) {
    const std::string type = block.at("type");
    if (type == "text") blocks.push_back({{"text", block.at("text")}});
    if (type == "thinking")
      blocks.push_back({{"thinking", block.at("thinking")}, {"signature", block.at("signature")}});
    if (type == "tool_use")
      blocks.push_back({{"id", block.at("id")}, {"name", block.at("name")}, {"input", block.at("input")}});
  }
  const json& usage = message.at("usage");
  return {{"model", message.at("model")},
          {"blocks", blocks},
          {"stop", message.at("stop_reason")},
          {"sequence", message.at("stop_sequence")},
          {"input", usage.value("input_tokens", -1)},
          {"cached", usage.value("cache_read_input_tokens", -1)},
          {"output", usage.value("output_tokens", -1)}};
}

// Leaves out calls with incomplete arguments, as a whole message has to.
json meaning_of(const dialect::AnthropicMessage& message) {
  json blocks = json::array();
  for (const MessageBlock& block : message.blocks) {
    if (block.kind() == dialect::BlockKind::text) blocks.push_back({{"text", block.text}});
    if (block.kind() == dialect::BlockKind::thinking)
      blocks.push_back({{"thinking", block.text}, {"signature", block.signature}});
    if (block.kind() != dialect::BlockKind::tool_use) continue;
    const bool blank = block.arguments.find_first_not_of(" \t\r\n") == std::string::npos;
    const json input = json::parse(blank ? "{}" : block.arguments, nullptr, false);
    const bool cut = blank && message.stop_reason != "tool_use" && &block == &message.blocks.back();
    if (!input.is_discarded() && !cut)
      blocks.push_back({{"id", block.id}, {"name", block.name}, {"input", input}});
  }
  return {{"model", message.model},
          {"blocks", blocks},
          {"stop", message.stop_reason ? json(*message.stop_reason) : json()},
          {"sequence", message.stop_sequence ? json(*message.stop_sequence) : json()},
          {"input", message.usage.input.value_or(-1)},
          {"cached", message.usage.cache_read.value_or(-1)},
          {"output", message.usage.output.value_or(-1)}};
}

TEST(WholeAnswer, SaysWhatTheStreamSays) {
  const Served served;
  std::size_t messages = 0;
  std::size_t errors = 0;
  for (const recording::Recording& recording : corpus()) {
    SCOPED_TRACE(recording.id);
    if (recording.end == recording::End::stall) continue;
    Client client(served.proxy.port());
    client.post("/v1/messages",
                R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":"Hi"}]})",
                "Accept-Encoding: gzip, br\r\nRange: bytes=0-9\r\n");
    UpstreamConnection connection = served.upstream.accept();
    EXPECT_NE(connection.request().body.find("\"stream\":true"), std::string::npos);
    connection.begin_stream();
    if (!recording.body.empty()) connection.chunk(recording.body);  // an empty chunk would be the last one
    connection.delivered();
    if (recording.end == recording::End::complete) connection.last_chunk();
    if (recording.end == recording::End::reset) connection.reset();
    connection.close();
    client.read_all();
    const std::string events = translated_here(recording, recording.end);
    const dialect::AnthropicMessage streamed =
        dialect::assemble_anthropic_message(observe::read_trace(events, observe::DataKind::json));
    const json body = json::parse(client.body(), nullptr, false);
    ASSERT_FALSE(body.is_discarded()) << client.body();
    EXPECT_EQ(client.header("content-type"), "application/json");
    EXPECT_EQ(client.header("content-encoding"), "");
    if (streamed.error) {
      ++errors;
      EXPECT_GE(client.status(), 400);
      EXPECT_EQ(body.at("error").at("type"), streamed.error->type);
      EXPECT_EQ(body.at("error").at("message"), streamed.error->message);
    } else {
      ++messages;
      EXPECT_EQ(client.status(), 200);
      EXPECT_EQ(meaning_of(body), meaning_of(streamed));
      EXPECT_EQ(body.at("type"), "message");
      EXPECT_EQ(body.at("role"), "assistant");
      EXPECT_NE(events.find("\"id\":\"" + body.at("id").get<std::string>() + "\""), std::string::npos);
    }
  }
  EXPECT_GE(messages, 80U);
  EXPECT_GE(errors, 10U);
}

std::string streamed(const std::string& upstream_events) {
  Translator translator{TranslatorOptions{}};
  std::string out;
  translator.feed(upstream_events, out);
  translator.finish(turn::BodyEnd::complete, out);
  return out;
}

std::string call(const std::string& arguments, const std::string& finish) {
  return R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":)" +
         json(arguments).dump() + R"(}}]}}]})" + "\n\n" +
         R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":")" + finish +
         "\"}]}\n\ndata: [DONE]\n\n";
}

TEST(WholeAnswer, ArgumentsKeepTheirBytes) {
  const std::string arguments = R"({"z":12345678901234567890123,"a":1.10,"z":"\u4f60\u00e9\/"})";
  const Answer answer = messages_whole_answer(streamed(call(arguments, "tool_calls")));
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find("\"input\":" + arguments + "}"), std::string::npos) << answer.body;
}

TEST(WholeAnswer, HasEachThoughtWithItsSignature) {
  const std::string blocks =
      R"([{"type":"thinking","thinking":"One.","signature":"YQ=="},{"type":"redacted_thinking","data":"RU\/5D"},)"
      R"({"type":"thinking","thinking":"","signature":"Yg=="}])";
  const std::string stream =
      R"(data: {"choices":[{"index":0,"delta":{"thinking_blocks":)" + blocks +
      "}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  EXPECT_EQ(json::parse(messages_whole_answer(streamed(stream)).body).at("content"), json::parse(blocks));
}

TEST(WholeAnswer, CallsThatWereCutOffAreLeftOut) {
  for (const char* cut : {R"({"a":)", ""}) {
    const json message = json::parse(messages_whole_answer(streamed(call(cut, "length"))).body);
    EXPECT_EQ(message.at("stop_reason"), "max_tokens");
    EXPECT_EQ(message.at("content"), json::array()) << cut;
  }
  const json whole = json::parse(messages_whole_answer(streamed(call("{\"a\":1}", "length"))).body);
  EXPECT_EQ(whole.at("content").size(), 1U);
  const json empty = json::parse(messages_whole_answer(streamed(call("", "tool_calls"))).body);
  EXPECT_EQ(empty.at("content").at(0).at("input"), json::object());
}

TEST(WholeAnswer, AnErrorAfterSomeTextIsAnError) {
  const std::string events = streamed(
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n"
      "data: {\"error\":{\"message\":\"over\",\"code\":529}}\n\n");
  EXPECT_FALSE(messages_lone_error(events));
  const Answer answer = messages_whole_answer(events);
  EXPECT_EQ(answer.status, 529);
  EXPECT_EQ(answer.body, R"({"type":"error","error":{"type":"overloaded_error","message":"over"}})");
  EXPECT_EQ(messages_whole_answer("").status, 502);
  EXPECT_EQ(messages_whole_answer(events.substr(0, events.find("event: error"))).status, 502);
}

TEST(LoneError, HasTheBodyOfItsEventAndTheStatusOfItsType) {
  const std::string events = streamed("data: {\"error\":{\"message\":\"no\",\"code\":401}}\n\n");
  const auto answer = messages_lone_error(events);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
  EXPECT_EQ("event: error\ndata: " + answer->body + "\n\n", events);
  EXPECT_EQ(*answer, messages_error(turn::ErrorKind::authentication, "no"));
}

TEST(Conceal, HidesSecretsThatCouldBeNoWord) {
  const std::string before = "key 1234/5678 and 1234\\/5678";
  std::string text = before;
  wire::conceal(text, "");
  wire::conceal(text, "key");
  EXPECT_EQ(text, before);
  wire::conceal(text, "1234/5678");
  EXPECT_EQ(text, "key [key] and [key]");
}

}  // namespace
}  // namespace splitproof::server::answer_test
