#include "harness/observe/websocket_frames.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/observe/frame_style.hpp"

namespace splitproof::observe {
namespace websocket_frames_test {

using Kind = FrameFault::Kind;

constexpr MaskKey kMask{'\x37', '\xfa', '\x21', '\x3d'};

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

WebSocketReader read_all(FrameSender sender, const std::string& frames, std::size_t most = 1 << 20) {
  WebSocketReader reader(sender, most);
  reader.feed(frames);
  return reader;
}

std::vector<Kind> kinds(const WebSocketReader& reader) {
  std::vector<Kind> kinds;
  for (const FrameFault& fault : reader.faults()) kinds.push_back(fault.kind);
  return kinds;
}

// The examples of RFC 6455, section 5.7.
TEST(WebSocketFrames, WritesAndReadsTheExamplesOfTheStandard) {
  const std::string plain = bytes({0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f});
  const std::string masked = bytes({0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58});
  const std::string fragments = bytes({0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f});
  EXPECT_EQ(websocket_frame(Opcode::text, true, "Hello"), plain);
  EXPECT_EQ(websocket_frame(Opcode::text, true, "Hello", kMask), masked);
  EXPECT_EQ(websocket_frame(Opcode::text, false, "Hel") + websocket_frame(Opcode::continuation, true, "lo"),
            fragments);
  for (const auto& [sender, frames, count] : {std::tuple{FrameSender::server, plain, std::size_t{1}},
                                              std::tuple{FrameSender::client, masked, std::size_t{1}},
                                              std::tuple{FrameSender::server, fragments, std::size_t{2}}}) {
    WebSocketReader reader = read_all(sender, frames);
    EXPECT_EQ(reader.take(),
              (std::vector<WebSocketMessage>{{Opcode::text, "Hello", 0, frames.size(), count}}));
    EXPECT_TRUE(reader.faults().empty());
  }
  EXPECT_EQ(websocket_header(Opcode::binary, true, 256), bytes({0x82, 0x7E, 0x01, 0x00}));
  EXPECT_EQ(websocket_header(Opcode::binary, true, 65536), bytes({0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0}));
}

TEST(WebSocketFrames, ReadsTheSameWhateverTheChunksAndLengths) {
  std::string frames = websocket_frame(Opcode::ping, true, "a", kMask);
  for (const std::size_t size : {0, 1, 124, 125, 126, 127, 65535, 65536, 65537})
    frames += websocket_frame(Opcode::text, true, std::string(size, 'x'), kMask);
  frames += websocket_frame(Opcode::text, false, "\xC3", kMask) +
            websocket_frame(Opcode::pong, true, "", kMask) +
            websocket_frame(Opcode::continuation, true, "\xA9", kMask) +
            websocket_frame(Opcode::close, true, close_payload(1000, "done"), kMask);
  WebSocketReader whole = read_all(FrameSender::client, frames);
  WebSocketReader single(FrameSender::client, 1 << 20);
  for (const char c : frames) single.feed(std::string(1, c));
  EXPECT_EQ(whole, single);
  EXPECT_TRUE(whole.faults().empty());
  EXPECT_EQ(whole.close_code(), 1000);
  const std::vector<WebSocketMessage> messages = whole.take();
  ASSERT_EQ(messages.size(), 13U);
  EXPECT_EQ(messages[9].payload.size(), 65537U);
  EXPECT_EQ(messages[10].opcode, Opcode::pong);
  EXPECT_EQ(messages[11].payload, "\xC3\xA9");
  EXPECT_EQ(messages[11].frames, 2U);
}

struct FaultyFrames {
  Kind kind;
  std::string frames;
};

TEST(WebSocketFrames, NotesEachFaultAlone) {
  const std::string long_ping(126, 'p');
  const std::vector<FaultyFrames> faulty{
      {Kind::reserved_bits, bytes({0xC1, 0x01, 'a'})},
      {Kind::reserved_bits, bytes({0x91, 0x01, 'a'})},
      {Kind::opcode, bytes({0x83, 0x01, 'a'})},
      {Kind::opcode, bytes({0x8B, 0x01, 'a'})},
      {Kind::mask, websocket_frame(Opcode::text, true, "a", kMask)},
      {Kind::length, bytes({0x81, 0x7E, 0x00, 0x01, 'a'})},
      {Kind::length, bytes({0x81, 0x7F, 0, 0, 0, 0, 0, 0, 0, 1, 'a'})},
      {Kind::control, websocket_frame(Opcode::ping, true, long_ping)},
      {Kind::control, websocket_frame(Opcode::ping, false, "a")},
      {Kind::fragments, websocket_frame(Opcode::continuation, true, "a")},
      {Kind::fragments, websocket_frame(Opcode::text, false, "a") + websocket_frame(Opcode::text, true, "b")},
      {Kind::fragments, websocket_frame(Opcode::text, false, "a") + websocket_frame(Opcode::close, true, "")},
      {Kind::close, websocket_frame(Opcode::close, true, "x")},
      {Kind::close, websocket_frame(Opcode::close, true, close_payload(1005))},
      {Kind::close, websocket_frame(Opcode::close, true, close_payload(999))},
      {Kind::close, websocket_frame(Opcode::close, true, close_payload(1000, "\xFF"))},
      {Kind::text, websocket_frame(Opcode::text, true, "a\xC3")},
      {Kind::after_close, websocket_frame(Opcode::close, true, "") + "x"}};
  for (const FaultyFrames& one : faulty) {
    const WebSocketReader reader = read_all(FrameSender::server, one.frames);
    EXPECT_EQ(kinds(reader), std::vector<Kind>{one.kind}) << name(one.kind);
    EXPECT_FALSE(section(one.kind).empty());
    EXPECT_FALSE(reader.broken());
  }
  EXPECT_EQ(kinds(read_all(FrameSender::client, websocket_frame(Opcode::text, true, "a"))),
            std::vector<Kind>{Kind::mask});
}

TEST(WebSocketFrames, GoesOnAfterAFaultThatHasALength) {
  WebSocketReader reader =
      read_all(FrameSender::server, bytes({0xC1, 0x01, 'a'}) + websocket_frame(Opcode::text, true, "b"));
  const std::vector<WebSocketMessage> messages = reader.take();
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[1].payload, "b");
}

TEST(WebSocketFrames, EndsAtALengthItCannotRead) {
  const WebSocketReader endless =
      read_all(FrameSender::server, bytes({0x81, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(endless.broken());
  EXPECT_EQ(kinds(endless), std::vector<Kind>{Kind::length});
  EXPECT_TRUE(read_all(FrameSender::server, websocket_frame(Opcode::text, true, "abcd"), 3).broken());
  const std::string fragments =
      websocket_frame(Opcode::text, false, "ab") + websocket_frame(Opcode::continuation, true, "cd");
  EXPECT_TRUE(read_all(FrameSender::server, fragments, 3).broken());
  EXPECT_FALSE(read_all(FrameSender::server, fragments, 4).broken());
}

TEST(FrameStyles, KeepEachMessageWhateverTheStyle) {
  for (const std::string message : {"{}", "{\"type\":\"a\",\"text\":\"\xC3\xA9\"}", "x", ""}) {
    for (const FrameStyle& style : frame_styles()) {
      std::string joined;
      const auto fragments = fragments_of(message, style);
      ASSERT_FALSE(fragments.empty());
      for (const std::string_view fragment : fragments) joined += fragment;
      EXPECT_EQ(joined, message) << label(style);
      EXPECT_EQ(frame_style_of(label(style)), style);
    }
  }
  EXPECT_EQ(fragments_of("a\xC3\xA9z", {FrameStyle::Kind::halves, 0}).front(), "a\xC3");
  EXPECT_EQ(frame_style_of("127"), std::nullopt);
}

TEST(FrameStyles, FillsTheShortestMessageOnly) {
  std::vector<std::string> messages{"{\"a\":1}", "{}", "{\"b\":22}"};
  EXPECT_EQ(fill_shortest(messages, 5), 1U);
  EXPECT_EQ(messages[1], "{}   ");
  EXPECT_EQ(fill_shortest(messages, 4), std::nullopt);
}

}  // namespace websocket_frames_test
}  // namespace splitproof::observe
