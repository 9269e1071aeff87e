#include "harness/testee/http_request.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::testee::http_request_test {
namespace {

// Feeds a piece in an allocation of its own size.
std::size_t feed_exact(RequestReader& reader, std::string_view piece) {
  const auto exact = std::make_unique<char[]>(piece.size());
  std::copy(piece.begin(), piece.end(), exact.get());
  return reader.feed(std::string_view(exact.get(), piece.size()));
}

RequestReader read_all(const std::string& bytes, const RequestLimits& limits = {}) {
  RequestReader reader(limits);
  feed_exact(reader, bytes);
  return reader;
}

struct Good {
  std::string bytes;
  UpstreamRequest means;
};

UpstreamRequest meaning(std::string method, std::string target, Headers headers, std::string body,
                        bool chunked = false, std::string version = "HTTP/1.1") {
  return {std::move(method),
          std::move(target),
          std::move(version),
          std::move(headers),
          std::move(body),
          chunked,
          true,
          ""};
}

std::vector<Good> good_requests() {
  return {
      {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", meaning("GET", "/", {{"Host", "x"}}, "")},
      {"\r\n\r\nGET /a?b=c%20d HTTP/1.1\r\nhost:x\r\n\r\n",
       meaning("GET", "/a?b=c%20d", {{"host", "x"}}, "")},
      {"POST /v1/chat HTTP/1.1\r\nhost: x\r\nContent-Length: 5\r\n\r\nhello",
       meaning("POST", "/v1/chat", {{"host", "x"}, {"Content-Length", "5"}}, "hello")},
      {"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n\r\n",
       meaning("POST", "/", {{"host", "x"}, {"content-length", "2"}, {"content-length", "2"}}, "\r\n")},
      {"POST / HTTP/1.1\r\nhost: x\r\nx-empty:\r\nx-blank: \t a \t b \t\r\ncontent-length: 0\r\n\r\n",
       meaning("POST", "/", {{"host", "x"}, {"x-empty", ""}, {"x-blank", "a \t b"}, {"content-length", "0"}},
               "")},
      {"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: Chunked\r\n\r\n5\r\nhello\r\nA;n=\"v\"\r\n, "
       "world!!\n\r\n0\r\n\r\n",
       meaning("POST", "/", {{"host", "x"}, {"transfer-encoding", "Chunked"}}, "hello, world!!\n", true)},
      {"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0001 \r\na\r\n000\r\nx-sum: "
       "1\r\n\r\n",
       meaning("POST", "/", {{"host", "x"}, {"transfer-encoding", "chunked"}}, "a", true)},
      {"GET / HTTP/1.0\r\n\r\n", meaning("GET", "/", {}, "", false, "HTTP/1.0")},
  };
}

TEST(RequestReader, RequestIsRead) {
  for (const Good& good : good_requests()) {
    SCOPED_TRACE(good.bytes);
    RequestReader reader;
    EXPECT_EQ(feed_exact(reader, good.bytes), good.bytes.size());
    EXPECT_TRUE(reader.done());
    EXPECT_EQ(reader.request(), good.means);
  }
}

// A broken request, its error, and the number of bytes after which it is known.
struct Broken {
  std::string bytes;
  std::string says;
};

const std::string kHost = "POST / HTTP/1.1\r\nhost: x\r\n";
const std::string kChunked = kHost + "transfer-encoding: chunked\r\n\r\n";

std::vector<Broken> broken_requests() {
  return {
      {"GET / HTTP/1.1\nhost: x\n\n", "without CR"},
      {"GET / HTTP/1.1\r\nhost: x\n\r\n", "without CR"},
      {"GET /\r\n\r\n", "METHOD TARGET VERSION"},
      {"GET\r\n\r\n", "METHOD TARGET VERSION"},
      {"GET  HTTP/1.1\r\n\r\n", "target"},
      {"GET /a b HTTP/1.1\r\n\r\n", "target"},
      {"GET /a\x01 HTTP/1.1\r\n\r\n", "target"},
      {"G@T / HTTP/1.1\r\n\r\n", "method"},
      {"GET / HTTP/2.0\r\n\r\n", "version"},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "version"},
      {"GET / http/1.1\r\n\r\n", "version"},
      {"\x16\x03\x01\x02", "plain HTTP"},
      {" GET / HTTP/1.1\r\n", "plain HTTP"},
      {"GET / HTTP/1.1\r\n\r\n", "one host"},
      {"GET / HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n", "one host"},
      {"GET / HTTP/1.1\r\nhost: x\r\nfolded: a\r\n b\r\n\r\n", "next line"},
      {"GET / HTTP/1.1\r\nhost : x\r\n\r\n", "not a word"},
      {"GET / HTTP/1.1\r\n: x\r\n\r\n", "not a word"},
      {"GET / HTTP/1.1\r\nhost\r\n\r\n", "no colon"},
      {"GET / HTTP/1.1\r\nhost: a\rb\r\n\r\n", "control character"},
      {std::string("GET / HTTP/1.1\r\nhost: a\0b\r\n\r\n", 29), "control character"},
      {kHost + "content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n", "both a length"},
      {kHost + "content-length: 5\r\ncontent-length: 6\r\n\r\n", "two lengths"},
      {kHost + "content-length: -5\r\n\r\n", "not a number"},
      {kHost + "content-length: +5\r\n\r\n", "not a number"},
      {kHost + "content-length: 5, 5\r\n\r\n", "not a number"},
      {kHost + "content-length: \r\n\r\n", "not a number"},
      {kHost + "content-length: 99999999999999999999999\r\n\r\n", "not a number"},
      {kHost + "content-length: 101\r\n\r\n", "body is too long"},
      {kHost + "transfer-encoding: gzip, chunked\r\n\r\n", "not chunked"},
      {kHost + "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n", "not chunked"},
      {kHost + "transfer-encoding: \r\n\r\n", "not chunked"},
      {"POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n", "not chunked"},
      {kChunked + "x\r\n", "size of a chunk"},
      {kChunked + "\r\n", "size of a chunk"},
      {kChunked + "0x5\r\nhello\r\n", "size of a chunk"},
      {kChunked + "-5\r\n", "size of a chunk"},
      {kChunked + "fffffffffffffffff\r\n", "size of a chunk"},
      {kChunked + "5\nhello\r\n", "without CR"},
      {kChunked + "5\r\nhello!\r\n", "longer than its size"},
      {kChunked + "5\r\nhello\n0\r\n\r\n", "without CR"},
      {kChunked + "65\r\n", "body is too long"},
      {kChunked + "5\r\nhello\r\n60\r\n", "body is too long"},
      {kChunked + "0\r\nbad trailer\r\n\r\n", "no colon"},
      {kChunked + "1;" + std::string(2000, 'e'), "too long"},
      {kChunked + "0\r\na: " + std::string(400, 'b'), "trailer is too long"},
      {"GET /" + std::string(400, 'a'), "head is too long"},
      {"GET / HTTP/1.1\r\nhost: x\r\na: " + std::string(400, 'b'), "head is too long"},
  };
}

constexpr RequestLimits kSmall{300, 100};

TEST(RequestReader, BrokenRequestIsReported) {
  for (const Broken& broken : broken_requests()) {
    SCOPED_TRACE(broken.bytes);
    RequestReader reader = read_all(broken.bytes, kSmall);
    EXPECT_TRUE(reader.done());
    EXPECT_FALSE(reader.request().complete);
    EXPECT_NE(reader.request().broken.find(broken.says), std::string::npos) << reader.request().broken;
    EXPECT_FALSE(keeps_alive(reader.request()));
    const RequestReader before = reader;
    EXPECT_EQ(feed_exact(reader, "GET / HTTP/1.1\r\n"), 0u);
    EXPECT_EQ(reader, before);
  }
}

// The reader's state depends only on the bytes, and errors occur at the same byte.
TEST(RequestReader, CutsDoNotMatter) {
  std::vector<std::string> texts;
  for (const Good& good : good_requests()) texts.push_back(good.bytes + "GET /next");
  for (const Broken& broken : broken_requests()) texts.push_back(broken.bytes + "more");
  std::size_t tried = 0;
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    RequestReader whole(kSmall);
    const std::size_t taken = feed_exact(whole, text);
    for (std::size_t cut = 0; cut <= text.size(); ++cut, ++tried) {
      RequestReader parts(kSmall);
      std::size_t sum = feed_exact(parts, text.substr(0, cut));
      if (sum == cut) sum += feed_exact(parts, text.substr(cut));
      ASSERT_EQ(parts, whole) << "cut at " << cut;
      ASSERT_EQ(sum, taken) << "cut at " << cut;
    }
    RequestReader bytewise(kSmall);
    std::size_t sum = 0;
    while (sum < text.size() && feed_exact(bytewise, text.substr(sum, 1)) == 1) ++sum;
    EXPECT_EQ(bytewise, whole);
    EXPECT_EQ(sum, taken);
  }
  std::cout << tried << " cuts\n";
}

TEST(RequestReader, EndWithinARequestBreaksIt) {
  for (const Good& good : good_requests()) {
    const std::size_t begin = good.bytes.find_first_not_of("\r\n");
    for (std::size_t size = begin + 1; size < good.bytes.size(); ++size) {
      RequestReader reader = read_all(good.bytes.substr(0, size));
      ASSERT_FALSE(reader.done()) << good.bytes.substr(0, size);
      ASSERT_TRUE(reader.begun());
      reader.finish();
      ASSERT_TRUE(reader.done());
      ASSERT_NE(reader.request().broken, "");
    }
    RequestReader nothing = read_all(good.bytes.substr(0, begin / 2 * 2));
    nothing.finish();
    EXPECT_FALSE(nothing.done());
    EXPECT_FALSE(nothing.begun());
    RequestReader all = read_all(good.bytes);
    all.finish();
    EXPECT_EQ(all.request(), good.means);
  }
}

TEST(RequestReader, WantsContinueBetweenHeadAndBody) {
  const std::string head = kHost + "expect: 100-Continue\r\ncontent-length: 2\r\n\r\n";
  for (std::size_t size = 0; size < head.size(); ++size)
    EXPECT_FALSE(read_all(head.substr(0, size)).wants_continue()) << size;
  EXPECT_TRUE(read_all(head).wants_continue());
  EXPECT_FALSE(read_all(head + "a").wants_continue());
  EXPECT_TRUE(
      read_all(kHost + "expect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n").wants_continue());
  EXPECT_FALSE(read_all(kHost + "content-length: 2\r\n\r\n").wants_continue());
  EXPECT_FALSE(read_all(kHost + "expect: 100-continue\r\n\r\n").wants_continue());
  EXPECT_FALSE(
      read_all("POST / HTTP/1.0\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n").wants_continue());
}

TEST(RequestReader, LimitsHoldToTheByte) {
  const std::string head = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
  EXPECT_TRUE(read_all(head, {head.size(), 0}).request().complete);
  EXPECT_NE(read_all(head, {head.size() - 1, 0}).request().broken, "");
  const std::string body = kHost + "content-length: 100\r\n\r\n" + std::string(100, 'b');
  EXPECT_TRUE(read_all(body, {300, 100}).request().complete);
  EXPECT_NE(read_all(body, {300, 99}).request().broken, "");
}

TEST(KeepsAlive, VersionAndHeaderDecide) {
  EXPECT_TRUE(keeps_alive(read_all("GET / HTTP/1.1\r\nhost: x\r\n\r\n").request()));
  EXPECT_TRUE(keeps_alive(read_all("GET / HTTP/1.1\r\nhost: x\r\nconnection: keep-alive\r\n\r\n").request()));
  EXPECT_FALSE(
      keeps_alive(read_all("GET / HTTP/1.1\r\nhost: x\r\nconnection: te , Close\r\n\r\n").request()));
  EXPECT_FALSE(keeps_alive(read_all("GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n").request()));
}

}  // namespace
}  // namespace splitproof::testee::http_request_test
