#include "harness/shrink/fewer_events.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::shrink::fewer_events_test {
namespace {

std::string body_of(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) body += "data: " + event + "\n\n";
  return body;
}

std::vector<std::string> joined(const std::vector<std::string>& events) {
  std::vector<std::string> bodies;
  for (const Candidate& draft : with_events_joined({body_of(events), {}}, Framing::sse)) {
    EXPECT_EQ(draft.cuts, split::Cuts{});
    bodies.push_back(draft.body);
  }
  return bodies;
}

using Bodies = std::vector<std::string>;

TEST(WithEventsJoined, HaveTheContentOfBothEvents) {
  EXPECT_EQ(joined({R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c"}]}}]})",
                    R"({"choices":[{"index":0, "delta":{}, "finish_reason":"stop"}],"usage":{"n":1.50}})"}),
            Bodies{body_of({R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c"}]},)"
                            R"("finish_reason":"stop"}],"usage":{"n":1.50}})"})});
}

TEST(WithEventsJoined, NullHasNoContent) {
  EXPECT_EQ(joined({R"({"a":null,"b":1})", R"({"a":"x","b":null})"}),
            Bodies{body_of({R"({"a":"x","b":1})"})});
}

TEST(WithEventsJoined, AreNoneIfTheEventsContradict) {
  EXPECT_EQ(joined({R"({"a":"x"})", R"({"a":"y"})"}), Bodies{});
  EXPECT_EQ(joined({R"({"a":{"b":1}})", R"({"a":[1]})"}), Bodies{});
  EXPECT_EQ(joined({R"({"a":[1]})", R"({"a":[2]})"}), Bodies{});
  EXPECT_EQ(joined({R"({"a":[1]})", R"({"a":[1,2]})"}), Bodies{});
  EXPECT_EQ(joined({R"({"a":[1,2]})", R"({"a":[1]})"}), Bodies{});
  EXPECT_EQ(joined({R"({"a":[{"index":0}]})", R"({"a":[{"index":1}]})"}), Bodies{});
}

TEST(WithEventsJoined, OffersTheLastFirstAndLeavesTheOthersAlone) {
  EXPECT_EQ(joined({R"({"a":1})", R"({"b":2})", R"({"c":3})", "[DONE]"}),
            (Bodies{body_of({R"({"a":1})", R"({"b":2,"c":3})", "[DONE]"}),
                    body_of({R"({"a":1,"b":2})", R"({"c":3})", "[DONE]"})}));
  EXPECT_EQ(joined({}), Bodies{});
  EXPECT_EQ(joined({R"({"a":1})", "[DONE]"}), Bodies{});
}

TEST(WithEventsJoined, KeepACutAsFarFromEitherEnd) {
  const std::string body = body_of({R"({"a":1})", R"({"b":2})", "[DONE]"});
  const std::string shorter = body_of({R"({"a":1,"b":2})", "[DONE]"});
  const std::vector<Candidate> all = with_events_joined({body, {3, body.size() - 4}}, Framing::sse);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], (Candidate{shorter, {shorter.size() - 4}}));
  EXPECT_EQ(all[1], (Candidate{shorter, {3}}));
}

}  // namespace
}  // namespace splitproof::shrink::fewer_events_test
