#include "harness/dialect/anthropic_messages/client_runs.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/harness/dialect/anthropic_events.hpp"

namespace splitproof::dialect::client_runs_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

using namespace anthropic_events;  // NOLINT: the words of the streams below

using Runs = std::vector<ClientRun>;

const std::string kTool = tool_start(0, "t1", "f");

Runs runs(const std::vector<std::string>& events) {
  const std::string body = frames(events);
  BodyStream stream(body, DataKind::json);
  return client_runs(stream);
}

TEST(ClientRuns, BlockRunsOnceForEachStop) {
  EXPECT_EQ(runs({kTool, arguments(0, "{\"a\":"), arguments(0, "1}")}), Runs{}) << "never stopped";
  EXPECT_EQ(runs({kTool, arguments(0, "{\"a\":"), arguments(0, "1}"), stop(0)}), (Runs{{"f", "{\"a\":1}"}}));
  EXPECT_EQ(runs({kTool, stop(0), stop(0)}), (Runs{{"f", ""}, {"f", ""}}));
  EXPECT_EQ(runs({kTool, stop(0), arguments(0, "{}"), stop(0)}), (Runs{{"f", ""}, {"f", "{}"}}));
  EXPECT_EQ(runs({stop(0), stop(1)}), Runs{});
}

TEST(ClientRuns, SecondStartReplacesTheBlock) {
  EXPECT_EQ(runs({kTool, arguments(0, "{}"), tool_start(0, "t2", "g"), stop(0)}), (Runs{{"g", ""}}));
  EXPECT_EQ(runs({kTool, text_start(0), stop(0)}), Runs{});
}

TEST(ClientRuns, BlocksAreDistinguishedByTheirIndex) {
  EXPECT_EQ(runs({kTool, tool_start(1, "t2", "g"), arguments(1, "{\"b\":1}"), arguments(0, "{}"), stop(1),
                  stop(0)}),
            (Runs{{"g", "{\"b\":1}"}, {"f", "{}"}}));
}

TEST(ClientRuns, OnlyToolUseIsRun) {
  EXPECT_EQ(runs({text_start(0), stop(0)}), Runs{});
  EXPECT_EQ(
      runs({start(0, R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}})"), stop(0)}),
      Runs{});
}

TEST(ClientRuns, InputOfTheStartCountsIfNoDeltaHasContent) {
  const std::string filled = start(0, R"({"type":"tool_use","id":"t","name":"f","input":{"a":1}})");
  EXPECT_EQ(runs({filled, stop(0)}), (Runs{{"f", "{\"a\":1}"}}));
  EXPECT_EQ(runs({filled, arguments(0, "{}"), stop(0)}), (Runs{{"f", "{}"}}));
}

TEST(ClientRuns, NothingAfterAnErrorIsReadButWhatFollowsTheMessageIs) {
  EXPECT_EQ(runs({kTool, error(), stop(0)}), Runs{});
  EXPECT_EQ(runs({message_stop(), kTool, stop(0)}), (Runs{{"f", ""}}));
  EXPECT_EQ(runs({kTool, "{broken", "3", "{\"type\":\"content_block_stop\",\"index\":\"0\"}"}), Runs{});
}

}  // namespace
}  // namespace splitproof::dialect::client_runs_test
