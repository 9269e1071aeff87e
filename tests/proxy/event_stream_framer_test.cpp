#include "proxy/wire/event_stream_framer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/event_stream.hpp"

namespace splitproof::wire::event_stream_framer_test {
namespace {

using namespace event_stream;

constexpr std::size_t kLimit = 1000;

std::vector<Frame> frames_of(std::string_view body) {
  EventStreamFramer framer(kLimit);
  std::vector<Frame> frames;
  framer.feed(body, frames);
  framer.finish(frames);
  return frames;
}

Frame damaged(std::string damage) {
  Frame frame;
  frame.damage = std::move(damage);
  return frame;
}

Frame error(std::string word, std::string data) {
  Frame frame{"error", std::move(data)};
  frame.error = std::move(word);
  return frame;
}

const Frame kTorn{"", "", false};

TEST(EventStreamFramer, ReadsFrames) {
  EXPECT_EQ(frames_of(""), std::vector<Frame>());
  EXPECT_EQ(frames_of(event("a", "{}") + event("", "") + frame_of("", "x")),
            (std::vector<Frame>{{"a", "{}"}, {"", ""}, {"", "x"}}));
  EXPECT_EQ(frames_of(exception("Throttled", "{\"message\":\"m\"}")),
            std::vector<Frame>{error("Throttled", "{\"message\":\"m\"}")});
  const std::string code = text_header(":message-type", "error") + text_header(":error-code", "Internal");
  EXPECT_EQ(frames_of(frame_of(code + text_header(":error-message", "\"no\""), "")),
            std::vector<Frame>{error("Internal", R"({"message":"\"no\""})")});
  EXPECT_EQ(frames_of(frame_of(code + text_header(":error-message", "\xFF"), "")),
            std::vector<Frame>{error("Internal", R"({"message":""})")});
  EXPECT_EQ(frames_of(frame_of(text_header(":message-type", "news"), "{}")),
            std::vector<Frame>{damaged("is no event, exception or error")});
}

TEST(EventStreamFramer, ReadsHeadersOfEveryType) {
  const std::string last = text_header(":event-type", "e");
  for (const auto& [type, value] : std::vector<std::pair<int, std::string>>{{0, ""},
                                                                            {1, ""},
                                                                            {2, "1"},
                                                                            {3, "12"},
                                                                            {4, "1234"},
                                                                            {5, "12345678"},
                                                                            {6, std::string("\0\3abc", 5)},
                                                                            {7, std::string("\0\0", 2)},
                                                                            {8, "12345678"},
                                                                            {9, "1234567890123456"}}) {
    SCOPED_TRACE(type);
    const std::string any = header("n", type, value);
    EXPECT_EQ(frames_of(frame_of(any + last, "p")), (std::vector<Frame>{{"e", "p"}}));
    // One byte less than its value needs.
    if (!value.empty()) {
      EXPECT_EQ(frames_of(frame_of(last + any.substr(0, any.size() - 1), "p")),
                std::vector<Frame>{damaged("has headers that cannot be read")});
    }
    const bool text = type == 7;
    EXPECT_EQ(frames_of(frame_of(text_header(":event-type", "e") + header(":event-type", type, value), "p")),
              (std::vector<Frame>{{"", "p"}}))
        << "the last one counts, text or not " << text;
  }
  for (const std::string& headers : {header("n", 10, "1234567890123456"), header("", 0, ""),
                                     std::string("\1"), std::string("\1n"), std::string("\2n\0", 3)})
    EXPECT_EQ(frames_of(frame_of(headers, "p")),
              std::vector<Frame>{damaged("has headers that cannot be read")});
}

// Returns a frame's first two numbers with a correct checksum.
std::string prelude(std::uint64_t all, std::uint64_t headers) {
  const std::string lengths = big_endian(all, 4) + big_endian(headers, 4);
  return lengths + big_endian(crc32(lengths), 4);
}

TEST(EventStreamFramer, LengthsThatCannotBe) {
  for (const auto& [all, headers] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {0, 0}, {15, 0}, {16, 1}, {100, 85}, {999, 0xFFFFFFFF}, {0x7FFFFFFF, 0x20001}}) {
    EXPECT_EQ(frames_of(prelude(all, headers) + std::string(100, '\0')),
              std::vector<Frame>{damaged("has a length that cannot be")})
        << all << " " << headers;
  }
  EXPECT_EQ(frames_of(prelude(100, 84)), std::vector<Frame>{kTorn});
  EXPECT_EQ(frames_of(prelude(kLimit + 1, 0)), (std::vector<Frame>{{"", "", true, true}}));
  const std::string most(kLimit - 16, 'x');
  EXPECT_EQ(frames_of(frame_of("", most)), (std::vector<Frame>{{"", most}}));
}

TEST(EventStreamFramer, NothingIsReadBehindDamage) {
  const std::string body = event("a", "{}");
  std::string wrong = body;
  wrong.back() ^= 1;
  EXPECT_EQ(frames_of(body + wrong + body),
            (std::vector<Frame>{{"a", "{}"}, damaged("has a wrong checksum")}));
}

TEST(EventStreamFramer, OneObjectInPlaceOfFrames) {
  EXPECT_EQ(frames_of(" \n{\"a\":1}"), (std::vector<Frame>{{"", "{\"a\":1}", true, false, true}}));
  EXPECT_EQ(frames_of(" \n"), std::vector<Frame>{kTorn});
  EXPECT_EQ(frames_of(" x"), std::vector<Frame>{damaged("has a length that cannot be")});
  EXPECT_EQ(frames_of("{" + std::string(kLimit, 'x')),
            std::vector<Frame>{damaged("has a length that cannot be")});
}

// Bodies of all forms, whole, truncated and damaged: the state after `b[0..j)` is the same from every `b[0..i)`.
TEST(EventStreamFramer, TheCutsDoNotShow) {
  const std::string wholes[] = {event("a", "{}") + exception("E", "{\"message\":\"m\"}") + frame_of("", ""),
                                event("a", "{}") + prelude(kLimit + 1, 0) + "x",
                                event("a", "{}") + prelude(15, 0) + "x", " {\"message\":\"m\"}", " x"};
  std::size_t pairs = 0;
  for (const std::string& body : wholes) {
    EventStreamFramer before(kLimit);
    std::vector<Frame> said;
    for (std::size_t i = 0; i <= body.size(); ++i) {
      EventStreamFramer slow = before;
      std::vector<Frame> slowly = said;
      for (std::size_t j = i; j <= body.size(); ++j, ++pairs) {
        EventStreamFramer at_once = before;
        std::vector<Frame> frames = said;
        at_once.feed(std::string(body, i, j - i), frames);
        ASSERT_EQ(at_once, slow) << i << " " << j;
        ASSERT_EQ(frames, slowly);
        if (j < body.size()) slow.feed(body.substr(j, 1), slowly);
      }
      if (i < body.size()) before.feed(body.substr(i, 1), said);
    }
  }
  EXPECT_GT(pairs, 10000U);
}

TEST(EventStreamFramer, AnyDamagedByteEndsIt) {
  const std::string body = event("a", "{\"b\":1}") + frame_of("", "") + event("c", "{}");
  const std::size_t whole = frames_of(body).size();
  for (std::size_t at = 0; at < body.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      std::string wrong = body;
      wrong[at] = static_cast<char>(wrong[at] ^ change);
      const std::vector<Frame> frames = frames_of(wrong);
      ASSERT_LE(frames.size(), whole);
      const Frame& last = frames.back();
      ASSERT_TRUE(!last.damage.empty() || !last.terminated || last.bare) << at << " " << change;
    }
  }
}

TEST(EventStreamFramer, ACutOffBodyIsTornUnlessItEndsBehindAFrame) {
  const std::string first = event("a", "{}");
  const std::string body = first + event("b", "{}");
  for (std::size_t size = 0; size <= body.size(); ++size) {
    const std::vector<Frame> frames = frames_of(body.substr(0, size));
    const bool between = size == 0 || size == first.size() || size == body.size();
    ASSERT_EQ(!frames.empty() && frames.back() == kTorn, !between) << size;
  }
}

}  // namespace
}  // namespace splitproof::wire::event_stream_framer_test
