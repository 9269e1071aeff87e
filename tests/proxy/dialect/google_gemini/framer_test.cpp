#include "proxy/dialect/google_gemini/framer.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::proxy::dialect::google_gemini::framer_test {
namespace {

constexpr std::size_t kLimit = 64;

// Feeds a chunk in an allocation of its exact size.
void feed(std::string_view chunk, GeminiFramer& framer, std::vector<wire::Frame>& frames) {
  const auto exact = std::make_unique<char[]>(chunk.size());
  chunk.copy(exact.get(), chunk.size());
  framer.feed({exact.get(), chunk.size()}, frames);
}

// Writes frames as text: `{"a":1}`, with `~` after a frame that lacks its end and `!` for an oversized one.
std::string notation(const std::vector<wire::Frame>& frames) {
  std::string text;
  for (const wire::Frame& frame : frames) {
    text += (text.empty() ? "" : " ") + (frame.event.empty() ? "" : frame.event + ":") + frame.data;
    text += frame.oversized ? "!" : frame.terminated ? "" : "~";
  }
  return text;
}

std::string cut(std::string_view body) {
  GeminiFramer framer(kLimit);
  std::vector<wire::Frame> frames;
  feed(body, framer, frames);
  framer.finish(frames);
  return notation(frames);
}

TEST(GeminiFramer, EventsWithAnyLineEnd) {
  for (const char* end : {"\r\n", "\n", "\r"}) {
    std::string body;
    for (const char* line : {"data: {\"a\":1}", "", "data: {\"b\":2}", ""}) body.append(line).append(end);
    EXPECT_EQ(cut(body), R"({"a":1} {"b":2})") << end;
    EXPECT_EQ(cut(end + body), R"({"a":1} {"b":2})") << end;
  }
  EXPECT_EQ(cut("data: {\"a\":1}\n\ndata: {\"b\":2}"), R"({"a":1} {"b":2}~)");
  EXPECT_EQ(cut("event: error\ndata: {}\n\n"), "error:{}");
}

TEST(GeminiFramer, ElementsOfAnArray) {
  EXPECT_EQ(cut("[{\"a\":1}\n,\r\n{\"b\":[\"]}\\\"{\"]}\n]\n"), R"({"a":1} {"b":["]}\"{"]})");
  EXPECT_EQ(cut(" \n[ ]"), "");
  EXPECT_EQ(cut("[{\"a\":1}"), R"({"a":1} ~)");
  EXPECT_EQ(cut("[{\"a\":1},"), R"({"a":1} ~)");
  EXPECT_EQ(cut("[{\"a\":1},{\"b"), R"({"a":1} {"b~)");
  EXPECT_EQ(cut("["), "~");
}

TEST(GeminiFramer, BytesThatNoArrayOfObjectsHas) {
  EXPECT_EQ(cut("[{\"a\":1}{\"b\":2}]"), R"({"a":1} {)");
  EXPECT_EQ(cut("[{\"a\":1},]"), R"({"a":1} ])");
  EXPECT_EQ(cut("[,{\"a\":1}]"), ",");
  EXPECT_EQ(cut("[1]"), "1");
  EXPECT_EQ(cut("[{\"a\":1}] {"), R"({"a":1} {)");
}

TEST(GeminiFramer, ByteOrderMarkBeforeEveryForm) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const char* body : {"data: {}\n\n", "[{}]"}) EXPECT_EQ(cut(mark + body), "{}") << body;
  EXPECT_EQ(cut(mark + " {}"), "{}~");
  EXPECT_EQ(cut(" " + mark + "[{}]"), "") << "only at the beginning";
  EXPECT_EQ(cut(mark.substr(0, 2) + "\ndata: {}\n\n"), "{}");
  EXPECT_EQ(cut(mark.substr(0, 1)), "");
}

TEST(GeminiFramer, OneObject) {
  EXPECT_EQ(cut("\n {\"a\":\n1}\n"), "{\"a\":\n1}\n~");
  EXPECT_EQ(cut("{\"a\""), "{\"a\"~");
}

TEST(GeminiFramer, ObjectBetweenEventsIsTheLastFrame) {
  EXPECT_EQ(cut("data: {\"a\":1}\r\n\r\n{\n \"error\": {}\n}\n"), "{\"a\":1} {\n \"error\": {}\n}\n~");
  EXPECT_EQ(cut("data: {\"a\":1}\n{\"error\":{}}"), R"({"a":1}~)") << "a line of the event";
  EXPECT_EQ(cut("x\r\n{\"a\":1}\r\n\r\n{\"error\":{}}"), R"({"error":{}}~)");
  EXPECT_EQ(cut("data: {\"a\":1}\n\ndata:{\"b\":2}\n\n"), R"({"a":1} {"b":2})");
}

TEST(GeminiFramer, FrameAboveTheLimitIsTheLast) {
  const std::string large = "{\"a\":\"" + std::string(kLimit, 'x') + "\"}";
  EXPECT_EQ(cut("data: " + large + "\n\n{\"b\":2}"), "!");
  EXPECT_EQ(cut("[{\"a\":1}," + large + ",{\"b\":2}]"), R"({"a":1} !)");
  EXPECT_EQ(cut(large), "!");
  EXPECT_EQ(cut("data: {\"a\":1}\n\n" + large), R"({"a":1} !)");
}

TEST(GeminiFramer, StopsForGood) {
  for (const char* body : {"data: {\"a\":1}\n\n", "[{\"a\":1}]", "{\"a\":1}", " "}) {
    for (std::size_t size = 0; size <= std::string_view(body).size(); ++size) {
      GeminiFramer framer(kLimit);
      std::vector<wire::Frame> frames;
      feed(std::string_view(body).substr(0, size), framer, frames);
      framer.stop();
      frames.clear();
      GeminiFramer stopped = framer;
      feed("data: {\"a\":1}\n\n", stopped, frames);
      stopped.finish(frames);
      EXPECT_TRUE(frames.empty()) << body << size;
      EXPECT_EQ(stopped, framer);
    }
  }
}

// State and frames depend on the bytes only.
TEST(GeminiFramer, SameForEverySplit) {
  const std::string large(kLimit + 1, 'x');
  for (const std::string& body : std::vector<std::string>{
           "\xEF\xBB\xBF\r\ndata: {\"a\":1}\r\n\r\nid: 1\r\ndata: {\"b\":2}\r\n\r\n", "\xEF\xBB\xBF [{}]",
           "\xEF\xBB{", "\xEF\xBB\xBF\xEF{}", "data: {\"a\":1}\r\r{\"error\":{}}", "\r\n data: 1\n\n{",
           "data: " + large + "\n\n{\"b\":2}\n", " [{\"a\":\"\\\\\\\"]\"}\r\n, {\"b\":[{}]} ]\n",
           "[{\"a\":1}] [", "[{\"" + large + "\"}]", " {\"a\":[}", "{" + large}) {
    for (std::size_t first = 0; first <= body.size(); ++first) {
      for (std::size_t second = first; second <= body.size(); ++second) {
        GeminiFramer whole(kLimit);
        GeminiFramer split(kLimit);
        std::vector<wire::Frame> of_whole;
        std::vector<wire::Frame> of_split;
        feed(std::string_view(body).substr(0, second), whole, of_whole);
        feed(std::string_view(body).substr(0, first), split, of_split);
        feed(std::string_view(body).substr(first, second - first), split, of_split);
        ASSERT_EQ(split, whole) << body << first << " " << second;
        ASSERT_EQ(of_split, of_whole) << body << first << " " << second;
      }
    }
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::framer_test
