#include "proxy/dialect/bedrock_converse/order.hpp"

#include <gtest/gtest.h>

#include <string>

#include "proxy/relay/frame_relay.hpp"
#include "tests/proxy/event_stream.hpp"

namespace splitproof::proxy::dialect::bedrock_converse::order_test {
namespace {

using event_stream::event;
using turn::BodyEnd;

constexpr const char* kSecret = "sk-secret-of-the-client";

// Relays a body byte by byte and as a whole.
std::string relayed(const std::string& body, BodyEnd end = BodyEnd::complete, turn::Rules rules = {}) {
  const auto by_chunks = [&](std::size_t size) {
    relay::FrameRelay relay(ConverseOrder(rules), rules.limits.event_bytes, kSecret);
    std::string out;
    for (std::size_t at = 0; at < body.size(); at += size)
      relay.feed(std::string_view(body).substr(at, size), out);
    relay.finish(end, out);
    EXPECT_TRUE(relay.over());
    return out;
  };
  EXPECT_EQ(by_chunks(1), by_chunks(body.size() + 1));
  return by_chunks(1);
}

std::string exception(const std::string& type, const std::string& message) {
  using event_stream::text_header;
  return event_stream::frame_of(text_header(":exception-type", type) +
                                    text_header(":content-type", "application/json") +
                                    text_header(":message-type", "exception"),
                                "{\"message\":\"" + message + "\"}");
}

const std::string kBegin = event("messageStart", R"({"p":"abc","role":"assistant"})");
const std::string kText =
    event("contentBlockDelta", R"({ "contentBlockIndex":0,"delta":{"text":"é"},"own":1e400})");
const std::string kStop = event("contentBlockStop", R"({"contentBlockIndex":0})");
const std::string kCall =
    event("contentBlockStart", R"({"contentBlockIndex":0,"start":{"toolUse":{"name":"f","toolUseId":"i"}}})");
const std::string kInput =
    event("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"toolUse":{"input":"{}"}}})");
const std::string kEnd = event("messageStop", R"({"stopReason":"end_turn"})");
const std::string kCounts = event("metadata", R"({"usage":{"inputTokens":1}})");
const std::string kCut =
    exception("internalServerException", "the upstream stream ended before the message did");

// Returns what follows `passed` in the relayed body. It must be one exception.
std::string failure_after(const std::string& passed, const std::string& body) {
  const std::string out = relayed(body);
  EXPECT_TRUE(out.starts_with(passed));
  const std::string rest = out.substr(std::min(passed.size(), out.size()));
  EXPECT_NE(rest.find("internalServerException"), std::string::npos) << rest;
  EXPECT_EQ(rest.find("stopReason"), std::string::npos);
  const std::size_t at = rest.find("{\"message\":\"") + 12;
  return rest.substr(at, rest.find('"', at) - at);
}

TEST(ConverseOrder, LegalStreamPassesByteForByte) {
  const std::string failed = exception("throttlingException", "Too many requests.");
  for (const std::string& body :
       {kBegin + kText + kStop + kEnd + kCounts, kBegin + kCall + kInput + kStop + kEnd,
        kBegin + event("note", "[7]") + kText + kEnd + event("note", "x"), failed, kBegin + kText + failed,
        kBegin + kEnd + failed,
        kBegin + event("contentBlockStart", R"({"contentBlockIndex":0,"start":{}})") + kText + kEnd})
    EXPECT_EQ(relayed(body), body);
  EXPECT_EQ(relayed(failed + kText), failed) << "nothing follows an exception";
}

TEST(ConverseOrder, StreamWithoutItsEndWasCutOff) {
  EXPECT_EQ(relayed(""), kCut);
  EXPECT_EQ(relayed(kBegin + kText), kBegin + kText + kCut);
  EXPECT_EQ(relayed(kBegin + kText + kEnd.substr(0, 20)), kBegin + kText + kCut)
      << "the cut frame is dropped";
  EXPECT_EQ(relayed(kBegin + kEnd + kCounts.substr(0, 9)), kBegin + kEnd + kCut);
  EXPECT_EQ(relayed(kBegin + kEnd, BodyEnd::closed), kBegin + kEnd + kCut);
  EXPECT_NE(relayed(kBegin + kEnd, BodyEnd::reset), kBegin + kEnd);
}

TEST(ConverseOrder, EventAtAWrongPlaceEndsInAnException) {
  const std::string a = "a frame of the upstream ";
  EXPECT_EQ(failure_after("", kText + kEnd), a + "comes before messageStart");
  EXPECT_EQ(failure_after(kBegin, kBegin + kBegin), a + "starts the message again");
  EXPECT_EQ(failure_after(kBegin, kBegin + kInput + kEnd), a + "is a piece of a call that is not open");
  EXPECT_EQ(failure_after(kBegin + kCall + kStop, kBegin + kCall + kStop + kInput),
            a + "is a piece of a call that is not open");
  EXPECT_EQ(failure_after(kBegin + kCall, kBegin + kCall + kCall), a + "starts a block again");
  EXPECT_EQ(failure_after(kBegin + kCall, kBegin + kCall + kText),
            a + "is other content of the block of a call");
  EXPECT_EQ(failure_after(kBegin + kCall, kBegin + kCall + kEnd),
            a + "ends the message before the end of a call");
  EXPECT_EQ(failure_after(kBegin + kEnd, kBegin + kEnd + kText), a + "comes after messageStop");
}

TEST(ConverseOrder, DamagedFrameEndsInAnException) {
  std::string damaged = kText;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  EXPECT_EQ(failure_after(kBegin, kBegin + damaged + kEnd), "a frame of the upstream has a wrong checksum");
  EXPECT_NE(failure_after(kBegin, kBegin + event("messageStop", "{") + kEnd), "");
  EXPECT_NE(failure_after("", R"({"message":"no stream"})"), "");
  turn::Rules small;
  small.limits.event_bytes = 40;
  EXPECT_EQ(relayed(kBegin, BodyEnd::complete, small).find("messageStart"), std::string::npos);
}

TEST(ConverseOrder, ExceptionWithoutAMessageIsReplaced) {
  using event_stream::text_header;
  const std::string bare = event_stream::frame_of(
      text_header(":exception-type", "throttlingException") + text_header(":message-type", "exception"),
      "{}");
  const std::string out = relayed(kBegin + bare);
  EXPECT_EQ(out.find(bare), std::string::npos);
  EXPECT_NE(out.find("throttlingException"), std::string::npos);
}

TEST(ConverseOrder, SecretOfTheClientIsConcealed) {
  const std::string out = relayed(exception("validationException", std::string("no key ") + kSecret));
  EXPECT_EQ(out.find(kSecret), std::string::npos);
  EXPECT_NE(out.find("validationException"), std::string::npos);
  EXPECT_NE(out.find("no key"), std::string::npos);
}

TEST(ConverseOrder, EndedAfterTheCounts) {
  relay::FrameRelay relay(ConverseOrder({}), 1000, "");
  std::string out;
  relay.feed(kBegin + kEnd, out);
  EXPECT_FALSE(relay.ended()) << "the counts may follow";
  relay.feed(kCounts, out);
  EXPECT_TRUE(relay.ended());
  EXPECT_TRUE(relay.passed());
}

}  // namespace
}  // namespace splitproof::proxy::dialect::bedrock_converse::order_test
