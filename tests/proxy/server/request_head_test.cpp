// tests/attack/malformed_requests.py has the table of refused requests. Here is the meaning of bytes, for any cuts.
#include "proxy/server/request_head.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proxy/server/body_reader.hpp"

namespace splitproof::server::request_head_test {
namespace {

const std::string kHead =
    "POST /v1/messages?beta=true HTTP/1.1\r\nHost: [::1]:80\r\nX-Api-Key:  k \t\r\nEmpty:\r\n"
    "Transfer-Encoding: Chunked\r\nConnection: x, Close\r\nExpect: 100-Continue\r\n\r\n";

TEST(RequestHead, IsReadHoweverItIsCut) {
  for (std::size_t first = 0; first <= kHead.size(); ++first) {
    RequestHeadReader reader;
    std::string_view left = std::string_view(kHead).substr(0, first);
    const std::string rest = kHead.substr(first) + "behind";
    auto head = reader.take(left);
    EXPECT_EQ(left, "");
    left = rest;
    if (!head) head = reader.take(left);
    ASSERT_TRUE(head && *head) << first;
    EXPECT_EQ(left, "behind");
    EXPECT_EQ((*head)->method, "POST");
    EXPECT_EQ((*head)->path, "/v1/messages");
    EXPECT_EQ((*head)->field("x-api-key"), "k");
    EXPECT_EQ((*head)->field("empty"), "");
    EXPECT_EQ((*head)->fields.size(), 6U);
    EXPECT_TRUE((*head)->chunked);
    EXPECT_TRUE((*head)->expects_continue);
    EXPECT_FALSE((*head)->keep_alive);
    EXPECT_FALSE((*head)->old);
  }
}

TEST(RequestHead, ConnectionHeaderDecidesIfItContinues) {
  const auto keeps = [](const std::string& version, const std::string& fields) {
    return parse_head("GET / HTTP/" + version + "\r\nHost: p\r\n" + fields + "\r\n")->keep_alive;
  };
  EXPECT_TRUE(keeps("1.1", ""));
  EXPECT_FALSE(keeps("1.0", ""));
  EXPECT_TRUE(keeps("1.0", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: keep-alive\r\nConnection: close\r\n"));
}

TEST(RequestHead, TargetIsAPathOrHasAPath) {
  for (const auto& [target, path] : std::vector<std::pair<std::string, std::string>>{{"/a/b?c=d", "/a/b"},
                                                                                     {"http://h:1/a?b", "/a"},
                                                                                     {"HTTPS://h", "/"},
                                                                                     {"http://h?x", "/"},
                                                                                     {"*", "*"}}) {
    const auto head = parse_head("GET " + target + " HTTP/1.1\r\nHost: p\r\n\r\n");
    ASSERT_TRUE(head) << target;
    EXPECT_EQ(head->path, path);
  }
}

TEST(RequestHead, QueryStaysAsItCame) {
  for (const auto& [target, query] :
       std::vector<std::pair<std::string, std::string>>{{"/a", ""},
                                                        {"/a?", ""},
                                                        {"/a?b=%41&c=d?e", "b=%41&c=d?e"},
                                                        {"http://h/a?b", "b"},
                                                        {"http://h?x", "x"}}) {
    const auto head = parse_head("GET " + target + " HTTP/1.1\r\nHost: p\r\n\r\n");
    ASSERT_TRUE(head) << target;
    EXPECT_EQ(head->query, query);
  }
}

TEST(RequestHead, EveryFaultHasAStatusAndASentence) {
  const std::string get = "GET / HTTP/1.1\r\n";
  const std::string host = "Host: p\r\n";
  const std::vector<std::pair<std::string, int>> rows = {
      {get + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {get + host + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400},
      {get + host + "Content-Length: 18446744073709551616\r\n\r\n", 400},
      {get + host + "Transfer-Encoding: gzip\r\n\r\n", 501},
      {get + host + "Expect: x\r\n\r\n", 417},
      {get + host + "a b: c\r\n\r\n", 400},
      {get + host + "a: b\r\n c\r\n\r\n", 400},
      {get + host + std::string("a: \0\r\n\r\n", 8), 400},
      {get + host + "a: b\rc\r\n\r\n", 400},
      {get + host + "a: b\nc: d\r\n\r\n", 400},
      {get + "\r\n", 400},
      {get + host + host + "\r\n", 400},
      {"GET / HTTP/2.0\r\n" + host + "\r\n", 505},
      {"GET /" + std::string(9000, 'a'), 414},
      {get + "a: " + std::string(9000, 'a'), 431},
      {"\r\n\r\n", 400},
  };
  for (const auto& [text, status] : rows) {
    RequestHeadReader reader;
    std::string_view bytes = text;
    const auto head = reader.take(bytes);
    ASSERT_TRUE(head && !*head) << text;
    EXPECT_EQ(head->error().status, status) << text;
    EXPECT_FALSE(head->error().message.empty());
  }
  RequestHeadReader many;
  std::string text = get;
  for (int i = 0; i < 200; ++i) text += "a: b\r\n";
  std::string_view bytes = text;
  EXPECT_EQ(many.take(bytes)->error().status, 431);
}

RequestHead head_with(const std::string& field) {
  return *parse_head("POST / HTTP/1.1\r\nHost: p\r\n" + field + "\r\n");
}

TEST(RequestBody, IsReadHoweverItIsCut) {
  const std::string chunks = "3;x=\"y\"\r\nabc\r\n0A \r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n";
  for (const auto& [head, wire, body] : std::vector<std::tuple<RequestHead, std::string, std::string>>{
           {head_with("Transfer-Encoding: chunked\r\n"), chunks, "abc0123456789"},
           {head_with("Content-Length: 5\r\n"), "abcde", "abcde"}}) {
    for (std::size_t first = 0; first <= wire.size(); ++first) {
      BodyReader reader(head, 13);
      std::string read;
      std::string_view left = std::string_view(wire).substr(0, first);
      reader.take(left, read);
      EXPECT_EQ(left, "");
      const std::string rest = wire.substr(first) + "behind";
      left = rest;
      EXPECT_EQ(reader.take(left, read), BodyReader::State::whole) << first;
      EXPECT_EQ(left, "behind");
      EXPECT_EQ(read, body);
    }
  }
}

TEST(RequestBody, WithoutALengthIsEmpty) {
  EXPECT_EQ(BodyReader(head_with(""), 5).state(), BodyReader::State::whole);
  EXPECT_EQ(BodyReader(head_with("Content-Length: 0\r\n"), 5).state(), BodyReader::State::whole);
  EXPECT_EQ(BodyReader(head_with("Content-Length: 6\r\n"), 5).state(), BodyReader::State::too_large);
}

TEST(RequestBody, InBadChunksIsRefusedAtTheFirstByteThatIsWrong) {
  using State = BodyReader::State;
  const std::vector<std::pair<std::string, State>> rows = {
      {"x\r\n", State::malformed},
      {"-1\r\n", State::malformed},
      {"+1\r\n", State::malformed},
      {" 1\r\n", State::malformed},
      {"0x1\r\n", State::malformed},
      {"1\n", State::malformed},
      {"1\rx", State::malformed},
      {"\r\n", State::malformed},
      {"1\r\nab", State::malformed},
      {"1\r\na\n", State::malformed},
      {"1;\x01\r\n", State::malformed},
      {"0\r\nx\r\n", State::malformed},
      {"0\r\n x: y\r\n", State::malformed},
      {"6\r\n", State::too_large},
      {"fffffffffffffffff\r\n", State::malformed},
      {"3\r\nabc\r\n3\r\n", State::too_large},
      {std::string(2000, '1'), State::malformed},
  };
  for (const auto& [wire, state] : rows) {
    BodyReader reader(head_with("Transfer-Encoding: chunked\r\n"), 5);
    std::string body;
    std::string_view bytes = wire;
    EXPECT_EQ(reader.take(bytes, body), state) << wire;
  }
}

}  // namespace
}  // namespace splitproof::server::request_head_test
