#include "harness/testee/chunked_body.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/harness/testee/http_response.hpp"

namespace splitproof::testee::chunked_body_test {
namespace {

using Ends = std::vector<std::size_t>;

ChunkedBody read(std::string_view wire) {
  ChunkedBody chunks;
  chunks.feed(wire);
  return chunks;
}

// Tries every split into three pieces, some of them empty, and single bytes.
void expect_the_same_under_every_split(const std::string& wire) {
  const ChunkedBody whole = read(wire);
  for (std::size_t i = 0; i <= wire.size(); ++i) {
    for (std::size_t j = i; j <= wire.size(); ++j) {
      ChunkedBody chunks;
      chunks.feed(std::string(wire, 0, i));
      chunks.feed(std::string(wire, i, j - i));
      chunks.feed(std::string(wire, j));
      ASSERT_EQ(chunks, whole) << "cut at " << i << " and " << j << " of: " << wire;
    }
  }
  ChunkedBody bytes;
  for (const char c : wire) bytes.feed(std::string(1, c));
  ASSERT_EQ(bytes, whole) << wire;
}

TEST(ChunkedBody, KeepsTheChunksApart) {
  const ChunkedBody chunks =
      read("5\r\nhello\r\n00b ; why=\"x\"\r\n, wide\r\n\xE2\x82\xAC\r\n0\r\nA: b\r\n\r\n");
  EXPECT_TRUE(chunks.over()) << chunks.broken();
  EXPECT_EQ(chunks.body(), "hello, wide\r\n\xE2\x82\xAC");
  EXPECT_EQ(chunks.chunk_ends(), (Ends{5, 16}));
  EXPECT_EQ(chunks.final_chunks(), 1u);
  EXPECT_EQ(chunks.trailing(), 0u);
}

TEST(ChunkedBody, CountsWhatComesBehindTheEnd) {
  struct Case {
    std::string behind;
    std::size_t final_chunks;
  };
  for (const Case& c : {Case{"", 1}, Case{"0\r\n\r\n", 2}, Case{"0\r\n\r\n0\r\n\r\n", 3}, Case{"0\r\n", 1},
                        Case{"0\r\n\r\nX", 2}, Case{"X0\r\n\r\n", 1}, Case{"2\r\nhi\r\n0\r\n\r\n", 1}}) {
    SCOPED_TRACE(c.behind);
    const ChunkedBody chunks = read("1\r\na\r\n0\r\n\r\n" + c.behind);
    EXPECT_TRUE(chunks.over());
    EXPECT_EQ(chunks.body(), "a");
    EXPECT_EQ(chunks.final_chunks(), c.final_chunks);
    EXPECT_EQ(chunks.trailing(), c.behind.size());
    EXPECT_EQ(chunks.taken(), 11u);
  }
}

TEST(ChunkedBody, SaysWhereTheFramingBreaks) {
  struct Case {
    std::string wire;
    std::size_t at;
    std::string why;
  };
  const std::string no_number = "the size of a chunk is not a number";
  for (const Case& c : {
           Case{"2\nhi", 1, "a line ends without CR"},
           Case{"2\rhi", 2, "a line has a CR without LF"},
           Case{"x\r\n", 2, no_number},
           Case{"\r\n", 1, no_number},
           Case{" 2\r\nhi", 3, no_number},
           Case{"2 \r\nhi", 3, no_number},
           Case{"-1\r\n", 3, no_number},
           Case{"0x2\r\n", 4, no_number},
           Case{"10000000000000000\r\n", 18, no_number},
           Case{"2\r\nhi!\r\n", 5, "a chunk is longer than its size"},
           Case{"2\r\nhi\n0", 5, "a chunk is longer than its size"},
           Case{"2;\1\r\n", 2, "a line of the framing has a control character"},
           Case{"0\r\nno field\r\n\r\n", 12, "a field of the trailer has no name"},
           Case{"0\r\n: x\r\n\r\n", 7, "a field of the trailer has no name"},
           Case{"data: {}\n\n", 8, "a line ends without CR"},
       }) {
    SCOPED_TRACE(c.wire);
    const ChunkedBody chunks = read(c.wire);
    EXPECT_EQ(chunks.broken(), c.why);
    EXPECT_EQ(chunks.taken(), c.at);
    EXPECT_FALSE(chunks.over());
  }
  const ChunkedBody endless = read("1;" + std::string(ChunkedBody::kLongestLine, 'x'));
  EXPECT_EQ(endless.broken(), "a line of the framing is too long");
  EXPECT_EQ(endless.taken(), ChunkedBody::kLongestLine);
}

TEST(ChunkedBody, SaysWhereAMessageEndsTooEarly) {
  const std::string wire = "2\r\nhi\r\n0\r\nA: b\r\n\r\n";
  const std::vector<std::string_view> places{
      "before the final chunk",
      "inside the size of a chunk",
      "inside the size of a chunk",
      "inside a chunk",
      "inside a chunk",
      "before the line end of a chunk",
      "before the line end of a chunk",
      "before the final chunk",
      "inside the size of a chunk",
      "inside the size of a chunk",
      "between the final chunk and the empty line after it",
  };
  for (std::size_t size = 0; size < wire.size(); ++size) {
    const ChunkedBody chunks = read(std::string_view(wire).substr(0, size));
    EXPECT_EQ(chunks.place(), size < places.size() ? places[size] : places.back()) << size;
    EXPECT_FALSE(chunks.over());
    EXPECT_EQ(chunks.final_chunks(), size < 10 ? 0u : 1u) << size;
    EXPECT_EQ(chunks.body(), std::string("hi").substr(0, size < 3 ? 0 : size - 3)) << size;
  }
}

TEST(ChunkedBody, DependsOnTheBytesAlone) {
  for (const std::string wire :
       {"5\r\nhello\r\n6;x=1\r\n world\r\n0\r\nA: b\r\n\r\n", "1\r\na\r\n0\r\n\r\n0\r\n\r\nXX",
        "1\r\na\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "2\r\nhi!\r\n0\r\n\r\n", "2\r\nhi\r\nff\r\ncut",
        "2\nhi\r\n", "", "0\r\nbroken\r\n\r\n"}) {
    expect_the_same_under_every_split(wire);
  }
}

// The reference is the tests' own slow reader.
TEST(ChunkedBody, AgreesWithASlowReaderOnRandomBodies) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string wire;
    for (std::size_t chunk = random() % 6; chunk > 0; --chunk) {
      const std::size_t size = 1 + random() % 40;
      char digits[8];
      std::snprintf(digits, sizeof digits, "%zx", size);
      wire += std::string(digits) + "\r\n";
      for (std::size_t i = 0; i < size; ++i) wire += "\r\n0a:;\xff"[random() % 7];
      wire += "\r\n";
    }
    wire += "0\r\n\r\n";
    if (random() % 2 == 0) wire.resize(random() % wire.size());
    if (random() % 4 == 0 && !wire.empty()) wire[random() % wire.size()] = "\r\n0f"[random() % 4];
    const HttpResponse slow =
        read_response("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + wire, true);
    ChunkedBody chunks;
    for (std::size_t at = 0; at < wire.size();) {
      const std::size_t size = 1 + random() % 9;
      chunks.feed(std::string_view(wire).substr(at, size));
      at += size;
    }
    ASSERT_EQ(chunks.over(), slow.complete) << wire;
    ASSERT_EQ(chunks.body(), slow.body) << wire;
    if (!slow.complete) continue;
    Ends ends;
    for (const std::size_t size : slow.chunks) ends.push_back((ends.empty() ? 0 : ends.back()) + size);
    ASSERT_EQ(chunks.chunk_ends(), ends) << wire;
  }
}

TEST(ChunkedBody, WhatHasNoEndBreaksAtALimit) {
  struct Case {
    std::string begin;
    std::string more;
    std::string broken;
  };
  for (const Case& c : {Case{"0\r\n", "x: y\r\n", "the trailer is too long"},
                        Case{"0\r\nx: ", "y", "a line of the framing is too long"},
                        Case{"1", ";x", "a line of the framing is too long"},
                        Case{"", "0", "a line of the framing is too long"},
                        Case{"", "1\r\na\r\n", "there are too many chunks"}}) {
    SCOPED_TRACE(c.broken);
    ChunkedBody chunks;
    chunks.feed(c.begin);
    std::string much;
    while (much.size() < 60'000) much += c.more;
    for (std::size_t fed = 0; chunks.broken().empty() && fed < 8 * ChunkedBody::kMostChunks;
         fed += much.size())
      chunks.feed(much);
    EXPECT_EQ(chunks.broken(), c.broken);
    EXPECT_LE(chunks.chunk_ends().size(), ChunkedBody::kMostChunks);
  }
}

}  // namespace
}  // namespace splitproof::testee::chunked_body_test
