// Frames of WebSocket: RFC 6455's cases, and any split of the bytes.

#include "proxy/wire/websocket_frames.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proxy/wire/base64.hpp"
#include "proxy/wire/sha1.hpp"

namespace splitproof::wire::websocket_frames_test {
namespace {

using Kind = WebSocketEvent::Kind;
using Peer = WebSocketReader::Peer;
using Events = std::vector<WebSocketEvent>;

constexpr std::size_t kMost = 100'000;
constexpr std::array<char, 4> kMask = {'\x37', '\xfa', '\x21', '\x3d'};  // of RFC 6455, 5.7

Events read(Peer peer, std::string_view bytes, std::size_t piece = 0) {
  WebSocketReader reader(peer, kMost);
  Events events;
  for (std::size_t at = 0; at < bytes.size(); at += piece == 0 ? bytes.size() : piece)
    reader.feed(bytes.substr(at, piece == 0 ? bytes.size() : piece), events);
  return events;
}

Events from_server(std::string_view bytes) { return read(Peer::server, bytes); }

WebSocketEvent text(std::string data) { return {Kind::text, std::move(data), 0}; }

// Expects that the bytes are one fault with this code, after `before` other events.
void expect_fault(std::string_view bytes, WebSocketClose code, Peer peer = Peer::server,
                  std::size_t before = 0) {
  const Events events = read(peer, bytes);
  ASSERT_EQ(events.size(), before + 1);
  EXPECT_EQ(events.back().kind, Kind::fault);
  EXPECT_EQ(events.back().code, static_cast<std::uint16_t>(code)) << events.back().data;
}

std::string frame(unsigned first, std::string_view payload) {
  std::string bytes(1, static_cast<char>(first));
  bytes += static_cast<char>(payload.size());
  return bytes.append(payload);
}

TEST(WebSocketFrames, ExamplesOfTheStandardAreRead) {
  const Events hello = {text("Hello")};
  EXPECT_EQ(from_server("\x81\x05Hello"), hello);
  EXPECT_EQ(read(Peer::client, "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"), hello);
  EXPECT_EQ(from_server(std::string("\x01\x03Hel\x80\x02lo", 9)), hello);
  EXPECT_EQ(from_server("\x89\x05Hello"), (Events{{Kind::ping, "Hello", 0}}));
  EXPECT_EQ(from_server("\x8A\x05Hello"), (Events{{Kind::pong, "Hello", 0}}));
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocketFrames, EveryLengthIsWrittenShortestAndReadBack) {
  for (const std::size_t size : {0, 1, 124, 125, 126, 127, 128, 65'534, 65'535, 65'536, 99'999, 100'000}) {
    const std::string payload(size, 'x');
    std::string plain;
    append_text_frame(plain, payload);
    EXPECT_EQ(plain.size(), size + (size <= 125 ? 2 : size <= 65'535 ? 4 : 10));
    EXPECT_EQ(from_server(plain), Events{text(payload)}) << size;
    std::string masked;
    append_text_frame(masked, payload, kMask);
    EXPECT_EQ(masked.size(), plain.size() + 4);
    EXPECT_EQ(read(Peer::client, masked), Events{text(payload)}) << size;
  }
}

TEST(WebSocketFrames, EventsDoNotDependOnTheSplit) {
  std::string bytes;
  append_text_frame(bytes, "{\"type\":\"response.create\"}", kMask);
  append_ping_frame(bytes, "p", kMask);
  // A message in four fragments with control frames between them. Characters are cut.
  const std::string cut = "\xE2\x82\xAC\xF0\x9F\x98\x80";
  for (std::size_t i = 0; i < cut.size(); ++i) {
    std::string fragment;
    append_text_frame(fragment, cut.substr(i, 1), kMask);
    fragment[0] = static_cast<char>((i == 0 ? 0x01 : 0x00) | (i + 1 == cut.size() ? 0x80 : 0));
    bytes += fragment;
    if (i + 1 < cut.size()) append_pong_frame(bytes, std::string(i, 'z'), kMask);
  }
  append_text_frame(bytes, std::string(300, 'y'), kMask);
  for (const std::string& end : {std::string(), std::string("\x81\x01x"), std::string("\xC1\x80mask")}) {
    std::string whole = bytes;
    if (end.empty()) append_close_frame(whole, 1000, "bye", kMask);
    whole += end;
    append_text_frame(whole, "nothing follows", kMask);
    const Events expected = read(Peer::client, whole);
    ASSERT_EQ(expected.size(), 11U);
    EXPECT_EQ(expected[8], text(cut));
    EXPECT_EQ(expected.back().kind, end.empty() ? Kind::close : Kind::fault);
    for (std::size_t piece = 1; piece < 40; ++piece)
      EXPECT_EQ(read(Peer::client, whole, piece), expected) << "pieces of " << piece;
    for (std::size_t at = 1; at < whole.size(); ++at) {
      WebSocketReader reader(Peer::client, kMost);
      Events events;
      reader.feed(std::string_view(whole).substr(0, at), events);
      reader.feed(std::string_view(whole).substr(at), events);
      EXPECT_EQ(events, expected) << "cut at " << at;
    }
  }
}

TEST(WebSocketFrames, FragmentsAreJoined) {
  EXPECT_EQ(from_server(frame(0x01, "") + frame(0x00, "") + frame(0x80, "")), Events{text("")});
  EXPECT_EQ(from_server(frame(0x01, "a") + frame(0x89, "1") + frame(0x00, "b") + frame(0x89, "2") +
                        frame(0x80, "c")),
            (Events{{Kind::ping, "1", 0}, {Kind::ping, "2", 0}, text("abc")}));
  expect_fault(frame(0x80, "x"), WebSocketClose::protocol_error);
  expect_fault(frame(0x00, "x"), WebSocketClose::protocol_error);
  expect_fault(frame(0x01, "a") + frame(0x81, "b"), WebSocketClose::protocol_error);
  expect_fault(frame(0x81, "a") + frame(0x80, "b"), WebSocketClose::protocol_error, Peer::server, 1);
}

TEST(WebSocketFrames, ForbiddenFramesHaveTheirCode) {
  for (const unsigned reserved : {0x10U, 0x20U, 0x40U, 0x70U})
    expect_fault(frame(0x81 | reserved, "x"), WebSocketClose::protocol_error);
  for (const unsigned opcode : {3U, 4U, 5U, 6U, 7U, 11U, 12U, 13U, 14U, 15U})
    expect_fault(frame(0x80 | opcode, ""), WebSocketClose::protocol_error);
  expect_fault(frame(0x82, "binary"), WebSocketClose::unsupported);
  expect_fault(frame(0x01, "a") + frame(0x82, "b"), WebSocketClose::protocol_error);
  expect_fault(frame(0x81, "x"), WebSocketClose::protocol_error, Peer::client);  // no mask
  std::string masked;
  append_text_frame(masked, "x", kMask);
  expect_fault(masked, WebSocketClose::protocol_error);  // a server's frame with a mask
}

TEST(WebSocketFrames, ControlFramesAreShortAndWhole) {
  for (const unsigned opcode : {0x8U, 0x9U, 0xAU}) {
    expect_fault(frame(opcode, ""), WebSocketClose::protocol_error);  // no FIN
    expect_fault(std::string(1, static_cast<char>(0x80 | opcode)) + std::string("\x7e\x00\x7e", 3) +
                     std::string(126, 'x'),
                 WebSocketClose::protocol_error);
  }
  EXPECT_EQ(from_server(frame(0x89, std::string(125, 'p'))).front().data.size(), 125U);
  std::string cut;
  append_ping_frame(cut, std::string(200, 'p'));
  EXPECT_EQ(from_server(cut).front().data, std::string(125, 'p'));
}

TEST(WebSocketFrames, LengthsHaveTheirShortestForm) {
  expect_fault(std::string("\x81\x7e\x00\x7d", 4) + std::string(125, 'x'), WebSocketClose::protocol_error);
  expect_fault(std::string("\x81\x7f\x00\x00\x00\x00\x00\x00\xff\xff", 10), WebSocketClose::protocol_error);
  expect_fault(std::string("\x81\x7f\x80\x00\x00\x00\x00\x01\x00\x00", 10), WebSocketClose::protocol_error);
}

TEST(WebSocketFrames, LimitOfAMessageCountsAllFragments) {
  expect_fault(std::string("\x81\x7f\x00\x00\x00\x00\x00\x01\x86\xA1", 10), WebSocketClose::too_large);
  std::string first;
  append_text_frame(first, std::string(kMost, 'x'));
  first[0] = '\x01';
  EXPECT_EQ(from_server(first + frame(0x80, "")), Events{text(std::string(kMost, 'x'))});
  expect_fault(first + frame(0x80, "y"), WebSocketClose::too_large);
  // The largest number of a length must not wrap around.
  expect_fault(first + std::string("\x80\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", 10),
               WebSocketClose::too_large);
}

TEST(WebSocketFrames, CloseCodesFollowTheRegistry) {
  EXPECT_EQ(from_server(frame(0x88, "")), (Events{{Kind::close, "", 1005}}));
  expect_fault(frame(0x88, "\x03"), WebSocketClose::protocol_error);
  for (const int code :
       {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999}) {
    std::string bytes;
    append_close_frame(bytes, static_cast<std::uint16_t>(code), "why");
    EXPECT_EQ(from_server(bytes), (Events{{Kind::close, "why", static_cast<std::uint16_t>(code)}})) << code;
  }
  for (const int code : {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65'535}) {
    std::string bytes;
    append_close_frame(bytes, static_cast<std::uint16_t>(code), "");
    expect_fault(bytes, WebSocketClose::protocol_error);
  }
  expect_fault(frame(0x88, "\x03\xE8\xFF"), WebSocketClose::not_utf8);
  EXPECT_EQ(from_server(frame(0x88, "\x03\xE8") + frame(0x81, "late")).size(), 1U);
  EXPECT_EQ(answer_to_close(1005), 1000);
  EXPECT_EQ(answer_to_close(3001), 3001);
}

TEST(WebSocketFrames, ReasonIsCutBetweenCharacters) {
  std::string bytes;
  append_close_frame(bytes, 1011, std::string(122, 'x') + "\xE2\x82\xAC");
  EXPECT_EQ(from_server(bytes), (Events{{Kind::close, std::string(122, 'x'), 1011}}));
}

TEST(WebSocketFrames, TextIsUtf8AcrossFragments) {
  EXPECT_EQ(from_server(frame(0x01, "\xF4\x8F") + frame(0x80, "\xBF\xBF")), Events{text("\xF4\x8F\xBF\xBF")});
  expect_fault(frame(0x01, "\xF4") + frame(0x80, "\x90\x80\x80"), WebSocketClose::not_utf8);
  expect_fault(frame(0x01, "\xE2\x82") + frame(0x80, ""),
               WebSocketClose::not_utf8);  // ends inside a character
  for (const char* wrong : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
                            "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80", "\xFF", "\xC3(", "a\xE2\x28\xA1"})
    expect_fault(frame(0x81, wrong), WebSocketClose::not_utf8);
  // The error is found before the message ends.
  expect_fault(frame(0x01, "\xFF"), WebSocketClose::not_utf8);
}

TEST(WebSocketFrames, OnlyContentCounts) {
  WebSocketReader reader(Peer::server, kMost);
  Events events;
  reader.feed(frame(0x89, "ping") + frame(0x01, "abc") + frame(0x8A, "pong"), events);
  EXPECT_EQ(reader.content(), 3U);
  EXPECT_EQ(reader.held(), 3U);
  EXPECT_TRUE(reader.inside());
  reader.feed(frame(0x80, "d"), events);
  EXPECT_EQ(reader.content(), 4U);
  EXPECT_FALSE(reader.inside());
}

TEST(Sha1, TextsOfTheStandardHaveTheirDigest) {
  const auto hex = [](const std::string& text) {
    std::string digits;
    for (const unsigned char byte : sha1(text)) {
      digits += "0123456789abcdef"[byte >> 4U];
      digits += "0123456789abcdef"[byte & 15U];
    }
    return digits;
  };
  EXPECT_EQ(hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Base64, BytesOfTheStandardAreWrittenWithPadding) {
  for (const auto& [bytes, written] :
       std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                        {"f", "Zg=="},
                                                        {"fo", "Zm8="},
                                                        {"foo", "Zm9v"},
                                                        {"foob", "Zm9vYg=="},
                                                        {"fooba", "Zm9vYmE="}}) {
    EXPECT_EQ(to_base64(bytes), written);
    EXPECT_EQ(from_base64(written), bytes);
  }
}

}  // namespace
}  // namespace splitproof::wire::websocket_frames_test
