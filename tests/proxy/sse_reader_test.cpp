#include "proxy/wire/sse_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::wire::sse_reader_test {
namespace {

constexpr std::size_t kLimit = 64;

std::vector<Frame> read(const std::vector<std::string>& pieces, std::size_t limit = kLimit) {
  SseReader reader(limit);
  std::vector<Frame> frames;
  for (const std::string& piece : pieces) reader.feed(piece, frames);
  reader.finish(frames);
  return frames;
}

Frame frame(std::string event, std::string data, bool terminated = true) {
  return {std::move(event), std::move(data), terminated, false};
}

struct Framing {
  const char* what;
  std::string bytes;
  std::vector<Frame> frames;
};

const std::vector<Framing>& framings() {
  static const std::vector<Framing> table = {
      {"LF", "data: a\n\ndata: b\n\n", {frame("", "a"), frame("", "b")}},
      {"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", {frame("", "a"), frame("", "b")}},
      {"CR", "data: a\r\rdata: b\r\r", {frame("", "a"), frame("", "b")}},
      {"mixed line ends", "data: a\r\n\ndata: b\r\r\n", {frame("", "a"), frame("", "b")}},
      {"one space after the colon is dropped, no more", "data:a\ndata:  b \n\n", {frame("", "a\n b ")}},
      {"a field without a colon has an empty value", "data\ndata: a\n\n", {frame("", "\na")}},
      {"data without a value is an event", "data:\n\n", {frame("", "")}},
      {"no data, no event", "event: ping\n\ndata: a\n\n", {frame("", "a")}},
      {"comments and unknown fields", ": x\nid: 1\nretry: 5\nfoo: y\ndata: a\n\n", {frame("", "a")}},
      {"the event name belongs to its block",
       "event: error\ndata: a\n\ndata: b\n\n",
       {frame("error", "a"), frame("", "b")}},
      {"one byte order mark",
       "\xEF\xBB\xBF"
       "data: a\n\n\xEF\xBB\xBF"
       "data: b\n\n",
       {frame("", "a")}},
      {"blank lines", "\n\n\ndata: a\n\n\n\n", {frame("", "a")}},
      {"the tail is told apart", "data: a\n\ndata: b\ndata: c", {frame("", "a"), frame("", "b\nc", false)}},
      {"a tail without data is nothing", "data: a\n\nevent: b", {frame("", "a")}},
  };
  return table;
}

TEST(SseReader, FramesFollowTheStandard) {
  for (const Framing& framing : framings()) {
    SCOPED_TRACE(framing.what);
    EXPECT_EQ(read({framing.bytes}), framing.frames);
  }
}

TEST(SseReader, NoSplitIntoThreeChangesFramesOrState) {
  std::size_t splits = 0;
  for (const Framing& framing : framings()) {
    SCOPED_TRACE(framing.what);
    const std::string& bytes = framing.bytes;
    SseReader whole(kLimit);
    std::vector<Frame> whole_frames;
    whole.feed(bytes, whole_frames);
    for (std::size_t i = 0; i <= bytes.size(); ++i) {
      for (std::size_t j = i; j <= bytes.size(); ++j, ++splits) {
        SseReader cut(kLimit);
        std::vector<Frame> frames;
        for (const std::string& piece : {bytes.substr(0, i), bytes.substr(i, j - i), bytes.substr(j)})
          cut.feed(piece, frames);
        ASSERT_EQ(frames, whole_frames) << i << "," << j;
        ASSERT_EQ(cut, whole) << i << "," << j;
      }
    }
  }
  std::cout << splits << " splits\n";
}

TEST(SseReader, EventIsOutWithTheByteThatEndsIt) {
  SseReader reader(kLimit);
  std::vector<Frame> frames;
  for (const char byte : std::string("data: a\r\n\r")) {
    ASSERT_TRUE(frames.empty());
    reader.feed(std::string(1, byte), frames);
  }
  EXPECT_EQ(frames, std::vector{frame("", "a")});
}

TEST(SseReader, StreamAboveTheLimitEndsOnceForEverySplit) {
  const Frame oversized{{}, {}, true, true};
  for (const std::string& bytes :
       {"data: a\n\ndata: " + std::string(60, 'x') + "\n\ndata: b\n\n",
        "data: a\n\n:" + std::string(200, 'x'),
        "data: a\n\ndata: " + std::string(30, 'x') + "\ndata: " + std::string(30, 'x') + "\n\n"}) {
    SCOPED_TRACE(bytes);
    const std::vector<Frame> expected{frame("", "a"), oversized};
    EXPECT_EQ(read({bytes}), expected);
    std::vector<std::string> each;
    for (const char byte : bytes) each.emplace_back(1, byte);
    EXPECT_EQ(read(each), expected);
  }
}

}  // namespace
}  // namespace splitproof::wire::sse_reader_test
