#include "harness/campaign/judgeability.hpp"

#include <gtest/gtest.h>

#include <string>

namespace splitproof::campaign::judgeability_test {
namespace {

const std::string kRefusal =
    "event: error\ndata: {\"type\":\"error\",\"status\":429,\"error\":{\"message\":\"slow down\"}}\n\n";

// Returns the judgeability of an answer over a WebSocket.
Judgeability judgeability_over_socket(const std::string& body) {
  testee::Observation seen;
  seen.body = body;
  seen.socket = {{"handshake", {{"side", "client"}, {"status", "101"}}}};
  seen.calls.emplace_back();
  const testee::Traits traits{"any", "openai.responses", "openai.chat", true, true};
  return judgeability_of(seen, traits, Upstream{});
}

TEST(Judgeability, LoneErrorMessageWithStatusIsRefusal) {
  const Judgeability refused = judgeability_over_socket(kRefusal);
  EXPECT_TRUE(refused.refused);
  EXPECT_EQ(refused.no_stream, "status 429");
}

TEST(Judgeability, OtherMessagesOverWebSocketAreStream) {
  const std::string created = "data: {\"type\":\"response.created\"}\n\n";
  for (const std::string& body :
       {std::string(), created, created + kRefusal, kRefusal + created, kRefusal + kRefusal,
        std::string("data: {\"type\":\"error\",\"error\":{}}\n\n"),
        std::string("data: {\"type\":\"error\",\"status\":200,\"error\":{}}\n\n"),
        std::string("data: {\"type\":\"error\",\"status\":\"429\",\"error\":{}}\n\n"),
        std::string("data: {\"type\":\"error\",\"status\":429}\n\n"),
        std::string("data: {\"type\":\"other\",\"status\":429,\"error\":{}}\n\n")}) {
    const Judgeability stream = judgeability_over_socket(body);
    EXPECT_FALSE(stream.refused) << body;
    EXPECT_EQ(stream.no_stream, "") << body;
  }
}

TEST(Judgeability, SameMessageOverHttpIsStream) {
  testee::Observation seen;
  seen.body = kRefusal;
  seen.http.emplace().status = kOk;
  seen.calls.emplace_back();
  const testee::Traits traits{"any", "openai.responses", "openai.chat", true, true};
  EXPECT_FALSE(judgeability_of(seen, traits, Upstream{}).refused);
  seen.http->status = 429;
  EXPECT_TRUE(judgeability_of(seen, traits, Upstream{}).refused);
}

// No server sends an array for a request for events, so what the testee does with it proves nothing.
TEST(Judgeability, BodyInAnotherFormThanRequestedIsNotJudged) {
  testee::Observation seen;
  seen.http.emplace().status = kOk;
  seen.calls.emplace_back();
  seen.calls.back().status = kOk;
  seen.calls.back().target = "/v1beta/models/m:streamGenerateContent?alt=sse";
  const testee::Traits traits{"any", "openai.chat", "google.gemini", true, true};
  Upstream array;
  array.body = "[{}]";
  const Judgeability other = judgeability_of(seen, traits, array);
  EXPECT_NE(other.unjudged, "");
  EXPECT_FALSE(other.ran);
  seen.calls.back().target = "/v1beta/models/m:streamGenerateContent";
  EXPECT_EQ(judgeability_of(seen, traits, array).unjudged, "");
}

}  // namespace
}  // namespace splitproof::campaign::judgeability_test
