#include "harness/testee/websocket_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/websocket_frames.hpp"
#include "harness/testee/websocket_handshake.hpp"

namespace splitproof::testee {
namespace websocket_script_test {

const std::string kFirst = R"({"type":"response.created"})";
const std::string kSecond = "{\"type\":\"response.output_text.delta\",\"delta\":\"\xC3\xA9\"}";
const std::string kBody = "event: response.created\ndata: " + kFirst +
                          "\n\nevent: response.output_text.delta\ndata: " + kSecond + "\n\n";

const dialect::SocketForm& form() { return *dialect::socket_form_of("openai.responses"); }

ResponseScript script_of(const std::vector<std::string>& pieces, std::string_view frames = "whole") {
  ResponseScript script;
  script.pieces = pieces;
  script.frames = *observe::frame_style_of(frames);
  return script;
}

std::vector<std::string> texts_in(const std::string& bytes) {
  observe::WebSocketReader reader(observe::FrameSender::server, 1 << 20);
  reader.feed(bytes);
  EXPECT_TRUE(reader.faults().empty());
  std::vector<std::string> texts;
  for (const observe::WebSocketMessage& message : reader.take())
    if (message.opcode == observe::Opcode::text) texts.push_back(message.payload);
  return texts;
}

TEST(WebSocketScript, SendsEachEventAsOneMessageInEveryStyle) {
  std::vector<observe::FrameStyle> styles = observe::frame_styles();
  styles.emplace_back();
  for (const observe::FrameStyle& style : styles) {
    const WritePlan plan = plan_frames(script_of({kBody}, observe::label(style)), form()).writes;
    std::vector<std::string> texts = texts_in(plan.bytes);
    ASSERT_EQ(texts.size(), 2U) << observe::label(style);
    texts[0].resize(kFirst.size());  // without the blanks that fill it
    EXPECT_EQ(texts, (std::vector<std::string>{kFirst, kSecond})) << observe::label(style);
    EXPECT_EQ(plan.ends.back(), plan.bytes.size());
  }
}

TEST(WebSocketScript, SendsBytesThatAreNotUtf8AsTheBodyHasThem) {
  const std::string damaged = "{\"type\":\"response.output_text.delta\",\"delta\":\"a\xE9z\"}";
  const std::string body = "data: " + damaged + "\r\n\r\ndata: " + kFirst + "\n\n";
  for (const char* frames : {"whole", "bytes", "halves"}) {
    const WritePlan plan = plan_frames(script_of({body}, frames), form()).writes;
    observe::WebSocketReader reader(observe::FrameSender::server, 1 << 20);
    reader.feed(plan.bytes);
    const std::vector<observe::WebSocketMessage> messages = reader.take();
    ASSERT_EQ(messages.size(), 3U) << frames << ": the last one is the close";
    EXPECT_EQ(messages[0].payload, damaged) << frames;
    EXPECT_EQ(messages[1].payload, kFirst) << frames;
    ASSERT_EQ(reader.faults().size(), 1U) << frames;
    EXPECT_EQ(reader.faults().front().kind, observe::FrameFault::Kind::text) << frames;
  }
}

TEST(WebSocketScript, PutsEachCutOfTheBodyInsideTheFramesOfItsEvent) {
  const std::string frames = observe::websocket_frame(observe::Opcode::text, true, kFirst);
  const std::size_t data = kBody.find(kFirst);
  const std::size_t behind = data + kFirst.size();
  const std::size_t second = behind + 2;
  for (std::size_t cut = 1; cut < kBody.size(); ++cut) {
    const WritePlan plan = plan_frames(script_of({kBody.substr(0, cut), kBody.substr(cut)}), form()).writes;
    const std::size_t at = plan.ends.front();
    if (cut < data) {
      EXPECT_EQ(at, std::min<std::size_t>(cut, 2));
    }
    if (cut >= data && cut < behind) {
      EXPECT_EQ(at, 2 + cut - data);
    }
    if (cut >= behind && cut <= second) {
      EXPECT_EQ(at, frames.size());
    }
    EXPECT_TRUE(std::is_sorted(plan.ends.begin(), plan.ends.end()));
    EXPECT_EQ(plan.bytes, plan_frames(script_of({kBody}), form()).writes.bytes);
  }
}

TEST(WebSocketScript, CutsEveryByteOfTheFramesIfTheBodyComesInBytes) {
  std::vector<std::string> pieces;
  for (const char c : kBody) pieces.emplace_back(1, c);
  for (const char* frames : {"whole", "bytes", "between"}) {
    const WritePlan plan = plan_frames(script_of(pieces, frames), form()).writes;
    EXPECT_EQ(plan.ends.size(), plan.bytes.size());
  }
}

TEST(WebSocketScript, AnnouncesMoreThanItSendsIfTheBodyEndsInsideAnEvent) {
  ResponseScript script = script_of({kBody.substr(0, kBody.size() - 10)});
  script.end = recording::End::closed;
  observe::WebSocketReader reader(observe::FrameSender::server, 1 << 20);
  reader.feed(plan_frames(script, form()).writes.bytes);
  EXPECT_EQ(reader.take().size(), 1U);
  EXPECT_FALSE(reader.between_messages());
}

TEST(WebSocketScript, ClosesAsUsualIfTheBodyEndsBetweenEvents) {
  ResponseScript script = script_of({kBody});
  script.end = recording::End::closed;
  observe::WebSocketReader reader(observe::FrameSender::server, 1 << 20);
  reader.feed(plan_frames(script, form()).writes.bytes);
  EXPECT_EQ(reader.close_code(), 1000);
  EXPECT_FALSE(plan_frames(script, form()).leaves_open);
}

TEST(WebSocketScript, HoldsTheByteOfTheFrames) {
  ResponseScript script = script_of({kBody});
  script.holds = {kBody.find("event: response.output"), kBody.size()};
  const WritePlan plan = plan_frames(script, form()).writes;
  const std::size_t first = observe::websocket_frame(observe::Opcode::text, true, kFirst).size();
  const std::size_t close =
      observe::websocket_frame(observe::Opcode::close, true, observe::close_payload(1000)).size();
  EXPECT_EQ(plan.holds, (std::vector<std::size_t>{first, plan.bytes.size() - close}));
}

TEST(WebSocketScript, ReportsAnErrorStatusAsAnEvent) {
  ResponseScript script = script_of({R"({"error":{"type":"rate_limit_error","message":"slow down"}})"});
  script.status = 429;
  const std::vector<std::string> texts = texts_in(plan_frames(script, form()).writes.bytes);
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_NE(texts[0].find("\"status\":429"), std::string::npos);
  EXPECT_NE(texts[0].find("slow down"), std::string::npos);
  EXPECT_TRUE(form().ends_answer(texts[0]));
}

// The example of RFC 6455, section 1.3.
TEST(WebSocketHandshake, AcceptsTheKeyOfTheStandard) {
  EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocketHandshake, FactsShowWhatIsWrong) {
  UpstreamRequest request;
  request.method = "GET";
  request.headers = {{"Upgrade", "websocket"},
                     {"Connection", "keep-alive, Upgrade"},
                     {"Sec-WebSocket-Version", "13"},
                     {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  EXPECT_TRUE(asks_for_websocket(request));
  EXPECT_EQ(handshake_of_request(request).members.at("key"), "right");
  request.headers.back().value = "c2hvcnQ=";
  EXPECT_EQ(handshake_of_request(request).members.at("key"), "wrong");
  const Headers answer{{"upgrade", "WebSocket"},
                       {"connection", "upgrade"},
                       {"sec-websocket-accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="},
                       {"sec-websocket-extensions", "permessage-deflate"}};
  const SocketEvent sound = handshake_of_response(101, answer, "dGhlIHNhbXBsZSBub25jZQ==");
  EXPECT_EQ(sound.members.at("accept"), "right");
  EXPECT_EQ(sound.members.at("upgrade"), "right");
  EXPECT_EQ(sound.members.at("extensions"), "permessage-deflate");
  EXPECT_EQ(handshake_of_response(101, answer, "AAAA").members.at("accept"), "wrong");
}

}  // namespace websocket_script_test
}  // namespace splitproof::testee
