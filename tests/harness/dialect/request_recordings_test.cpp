#include "harness/dialect/request_recordings.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/dialect/registry.hpp"

namespace splitproof::dialect::request_recordings_test {
namespace {

TEST(RequestRecordings, EachRequestProtocolHasARecording) {
  const auto made = recordings_of_request(
      "requests/anthropic.messages/x", "x.req.json",
      R"({"client":"anthropic.messages","title":"One","body":{"model":"m","messages":[],"stream":false}})");
  ASSERT_TRUE(made) << describe(made.error());
  ASSERT_EQ(made->size(), 5u);
  for (const recording::Recording& one : *made) {
    SCOPED_TRACE(one.id);
    EXPECT_EQ(one.id, "requests/anthropic.messages/" + one.protocol + "/x");
    EXPECT_EQ((*one.requests)["anthropic.messages"]["model"], "m");
    EXPECT_EQ((*one.requests)["anthropic.messages"]["stream"], true);  // for any value in the file
    EXPECT_EQ(one.arrivals.back().end, one.body.size());
    const observe::Answer answer = read(*upstream_of(one.protocol), one.body);
    EXPECT_FALSE(answer.parts.empty());
    EXPECT_FALSE(answer.error);
    EXPECT_TRUE(recording::to_text(one));
  }
}

TEST(RequestRecordings, OtherFilesAreErrors) {
  for (const char* text : {"", "{", "[]", "{}", R"({"client":"anthropic.messages","title":"a","body":[]})",
                           R"({"client":"anthropic.messages","title":"","body":{}})",
                           R"({"client":"ollama.chat","title":"a","body":{}})",
                           R"({"client":"anthropic.messages","title":"a","body":{},"more":1})"}) {
    const auto made = recordings_of_request("x", "x.req.json", text);
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.error().file, "x.req.json");
  }
}

}  // namespace
}  // namespace splitproof::dialect::request_recordings_test
