#include "harness/campaign/deadlines.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"

namespace splitproof::campaign::deadlines_test {
namespace {

// Downstream events of known length, one after another.
struct Downstream {
  std::string body;
  std::vector<std::size_t> ends;

  void add(const std::string& data) {
    body += "data: " + data + "\n\n";
    ends.push_back(body.size());
  }
  Deadlines deadlines(const std::vector<Milestone>& milestones) const {
    return Deadlines(milestones, body, *dialect::client_of("anthropic.messages"), {});
  }
};

Downstream text_and_call() {
  Downstream downstream;
  downstream.add(R"({"type":"message_start"})");
  downstream.add(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})");
  downstream.add(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"abc"}})");
  downstream.add(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"de"}})");
  downstream.add(
      R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"b"}})");
  downstream.add(
      R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}})");
  downstream.add(R"({"type":"message_stop"})");
  return downstream;
}

observe::Due due(std::size_t prose, std::size_t arguments, std::size_t calls) {
  observe::Due due;
  due.prose = prose;
  due.arguments = arguments;
  due.calls = calls;
  return due;
}

const std::vector<Milestone> kMilestones = {{10, due(0, 0, 0), false},
                                            {20, due(3, 0, 0), false},
                                            {30, due(5, 0, 1), false},
                                            {40, due(5, 2, 1), false},
                                            {50, due(5, 2, 1), true}};

TEST(Deadlines, AreMetByWhatIsOutInTime) {
  const Downstream sent = text_and_call();
  const Deadlines deadlines = sent.deadlines(kMilestones);
  const auto late = [&](const split::Cuts& cuts, const std::vector<std::size_t>& said) {
    return deadlines.first_late(cuts, 50, said);
  };
  EXPECT_EQ(late({10, 20, 30, 40}, {0, sent.ends[2], sent.ends[4], sent.ends[5], sent.body.size()}),
            std::nullopt);
  EXPECT_EQ(late({19}, {0, sent.body.size()}), std::nullopt) << "inside the event nothing is due";
  EXPECT_EQ(late({}, {sent.body.size()}), std::nullopt);

  // One byte too few, at each of them.
  EXPECT_EQ(late({10, 20}, {0, sent.ends[2] - 1, sent.body.size()}),
            (Late{20, sent.ends[2] - 1, sent.ends[2]}));
  EXPECT_EQ(late({35}, {sent.ends[4] - 1, sent.body.size()}), (Late{35, sent.ends[4] - 1, sent.ends[4]}));
  EXPECT_EQ(late({40}, {sent.ends[5] - 1, sent.body.size()}), (Late{40, sent.ends[5] - 1, sent.ends[5]}));
  EXPECT_EQ(late({}, {sent.ends[5]}), (Late{50, sent.ends[5], sent.body.size()})) << "the end is due too";
}

TEST(Deadlines, AreTheMeasureOfHoldsThatWereNotMet) {
  const Downstream sent = text_and_call();
  const Deadlines deadlines = sent.deadlines(kMilestones);
  EXPECT_EQ(deadlines.first_unmet({}), std::nullopt);
  EXPECT_EQ(deadlines.first_unmet({{20, true, 0}, {30, true, 0}}), std::nullopt);
  EXPECT_EQ(deadlines.first_unmet({{20, true, 0}, {30, false, sent.ends[4] - 1}, {40, false, 0}}),
            (Late{30, sent.ends[4] - 1, sent.ends[4]}));
  EXPECT_EQ(deadlines.first_unmet({{30, false, sent.ends[4]}}), std::nullopt) << "all of it was out";
  EXPECT_EQ(deadlines.first_unmet({{31, false, 0}}), std::nullopt) << "no event ends there";
}

TEST(Deadlines, WhatNeverComesIsNotLate) {
  Downstream sent = text_and_call();
  const std::vector<Milestone> lost = {
      {10, due(3, 0, 0), false}, {20, due(6, 0, 0), false}, {30, due(6, 0, 1), true}};
  const Deadlines deadlines = sent.deadlines(lost);
  EXPECT_EQ(deadlines.first_late({10}, 30, {sent.ends[2], sent.ends[2]}), std::nullopt);
  EXPECT_EQ(deadlines.first_late({10}, 30, {0, sent.ends[2]}), (Late{10, 0, sent.ends[2]}));
}

TEST(Deadlines, OfFaultyEventsAreSurvived) {
  Downstream sent;
  for (const char* data :
       {"[1]", "{", "null", R"({"type":"content_block_delta"})", R"({"type":1,"delta":{"text":"abc"}})",
        R"({"type":"content_block_delta","delta":[]})"})
    sent.add(data);
  const Deadlines deadlines = sent.deadlines(kMilestones);
  EXPECT_EQ(deadlines.first_late({}, 50, {0}), std::nullopt);
}

}  // namespace
}  // namespace splitproof::campaign::deadlines_test
