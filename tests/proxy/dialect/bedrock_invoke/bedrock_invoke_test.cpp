#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "proxy/dialect/anthropic_messages/reader.hpp"
#include "proxy/dialect/bedrock_invoke/reader.hpp"
#include "proxy/dialect/bedrock_invoke/request.hpp"
#include "proxy/dialect/table.hpp"
#include "proxy/translator.hpp"
#include "proxy/wire/base64.hpp"
#include "tests/proxy/dialect/notation.hpp"
#include "tests/proxy/event_stream.hpp"

namespace splitproof::proxy::dialect::bedrock_invoke_test {
namespace {

using nlohmann::json;

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += at + i > bytes.size() ? '=' : kDigits[group >> (18U - 6U * static_cast<unsigned>(i)) & 63U];
  }
  return text;
}

wire::Frame chunk(const std::string& event) {
  return {"chunk", R"({"bytes":")" + base64(event) + R"(","p":"abc"})"};
}

std::string read(const std::vector<wire::Frame>& frames) {
  InvokeReader<AnthropicReader> reader{Limits{}};
  std::vector<turn::Event> events;
  for (const wire::Frame& frame : frames) reader.read(frame, events);
  reader.finish(turn::BodyEnd::complete, events);
  return notation(events);
}

const std::string kStart = R"({"type":"message_start","message":{"model":"m","usage":{"input_tokens":3}}})";
const std::string kText =
    R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}})";
const std::string kReason =
    R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}})";
const std::string kStop =
    R"({"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":9}})";
const std::string kInput =
    R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"i","name":"f","input":{"a":1}}})";

TEST(Base64, DecodesItsOwnTextsOnly) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (std::size_t size = 0; size <= all.size(); ++size)
    ASSERT_EQ(wire::from_base64(base64(all.substr(0, size))), all.substr(0, size)) << size;
  for (const char* text : {"a", "ab", "abc", "ab=c", "a===", "ab-_", "ab c", "====", "abcd\n"})
    EXPECT_EQ(wire::from_base64(text), std::nullopt) << text;
}

TEST(InvokeReader, ReadsTheEventsInTheChunks) {
  EXPECT_EQ(read({chunk(kStart), chunk(kText), {"tideTable", "{"}, chunk(kReason), chunk(kStop)}),
            "begin(m) text(a) usage(3,-,2) finished(stop) done");
  EXPECT_EQ(read({chunk(kStart), chunk(kText), chunk(kReason)}), "begin(m) text(a)") << "it was cut off";
  EXPECT_EQ(read({chunk(kInput), {"", "", false}}), R"(call0(i,f,) call0(,,{"a":1}))");
}

TEST(InvokeReader, SignatureEndsItsThinking) {
  const auto thinking = [](const std::string& signature) {
    return chunk(
        R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"t")" +
        signature + "}}");
  };
  const auto delta = [](const std::string& signature) {
    return chunk(
        R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":")" +
        signature + "\"}}");
  };
  EXPECT_EQ(read({thinking(""), delta("r"), delta("s"), chunk(R"({"type":"content_block_stop","index":0})")}),
            "thinking(t) last-signature(s) close0");
  EXPECT_EQ(read({thinking(R"(,"signature":"s")"), {"", "", false}}), "thinking(t) last-signature(s)");
}

TEST(InvokeReader, Errors) {
  wire::Frame exception{"error", R"({"message":"m"})"};
  exception.error = "modelTimeoutException";
  EXPECT_EQ(read({chunk(kInput), exception}), R"(call0(i,f,) call0(,,{"a":1}) failure(timeout,m))");
  EXPECT_EQ(read({chunk(R"({"type":"error","error":{"type":"overloaded_error","message":"m"}})")}),
            "failure(overloaded,m)");
  EXPECT_EQ(read({{"chunk", "["}}), "failure(api,a frame of the upstream is not JSON)");
  for (const char* data : {R"({"bytes":"a*=="})", R"({"bytes":""})", "{}", R"({"bytes":7})"})
    EXPECT_EQ(read({{"chunk", data}}), "failure(api,a frame of the upstream has no base64 data)") << data;
  EXPECT_EQ(read({chunk("{")}), "failure(api,an event of the upstream is not JSON)");
}

std::string translated(const std::string& body) {
  TranslatorOptions options;
  options.upstream = find_upstream("bedrock.invoke");
  Translator translator(options);
  std::string out;
  translator.feed(body, out);
  translator.finish(turn::BodyEnd::complete, out);
  return out;
}

TEST(InvokeStreams, CutAndDamageAreErrors) {
  std::string body;
  for (const std::string& event : {kStart, kText, kReason, kStop}) {
    const wire::Frame frame = chunk(event);
    body += event_stream::event(frame.event, frame.data);
  }
  const auto finishes = [](const std::string& out) { return out.find("message_stop") != std::string::npos; };
  const auto fails = [](const std::string& out) { return out.find("event: error") != std::string::npos; };
  EXPECT_TRUE(finishes(translated(body)) && !fails(translated(body)));
  for (std::size_t at = 0; at < body.size(); ++at) {
    const std::string cut = translated(body.substr(0, at));
    ASSERT_TRUE(fails(cut) && !finishes(cut)) << at;
    std::string wrong = body;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x20);
    const std::string damaged = translated(wrong);
    ASSERT_TRUE(fails(damaged) && !finishes(damaged)) << at;
  }
}

TEST(InvokeRequest, BodyAndPath) {
  request::Asked asked;
  asked.model = "m";
  asked.turns = {{request::Role::user, {request::Text{"Hi"}}}};
  const UpstreamRow& row = *find_upstream("bedrock.invoke");
  EXPECT_EQ(json::parse(row.write_request(asked, {}).value()),
            json::parse(R"({"anthropic_version":"bedrock-2023-05-31","max_tokens":32000,
                            "messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})"));
  EXPECT_EQ(row.path_for("", "us.anthropic.claude-v1:0", true),
            "/model/us.anthropic.claude-v1%3A0/invoke-with-response-stream");
  const request::Image image{"https://example.com/a.png", "", ""};
  for (const request::Block& block : std::vector<request::Block>{image, request::Result{"i", {image}}}) {
    asked.turns.back().blocks = {block};
    EXPECT_EQ(row.write_request(asked, {}).error().message,
              "an image by its URL: has no counterpart in the upstream's protocol");
  }
  asked.temperature = "2";
  EXPECT_FALSE(row.write_request(asked, {}));
}

}  // namespace
}  // namespace splitproof::proxy::dialect::bedrock_invoke_test
