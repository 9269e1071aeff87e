// gen=timed keeps the recorded gaps, whatever the clock says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/testee/response_script.hpp"

namespace splitproof::campaign::timed_test {
namespace {

using recording::Recording;

const std::vector<Recording>& corpus() {
  static const std::vector<Recording> kAll =
      recording::load_corpus({std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/corpus"}).recordings;
  return kAll;
}

const Recording& a_call() {
  return *std::find_if(corpus().begin(), corpus().end(),
                       [](const Recording& one) { return one.id == "openai.chat/tool-plain"; });
}

Case timed(const Recording& recording, double speed, const std::string& fault = {}) {
  Case one{recording.id, "x", split::Timed{speed}};
  if (!fault.empty()) one.fault = parse_fault(fault).value();
  return one;
}

// The planned pauses must be the recorded gaps divided by the speed, and the pieces the recorded chunks.
void expect_recorded_gaps(const Recording& recording, double speed) {
  SCOPED_TRACE(recording.id);
  const auto upstream = upstream_of(timed(recording, speed), recording);
  ASSERT_TRUE(upstream) << describe(upstream.error());
  const testee::ResponseScript script = testee::response_of(recording, exchange_of(*upstream, recording));
  std::vector<std::string> pieces;
  std::vector<double> gaps;
  std::size_t begin = 0;
  double last = 0;
  for (const recording::Arrival& arrival : recording.arrivals) {
    pieces.push_back(recording.body.substr(begin, arrival.end - begin));
    gaps.push_back((arrival.at - last) / speed);
    begin = arrival.end;
    last = arrival.at;
  }
  if (recording.arrivals.empty()) {
    pieces.emplace_back();
    gaps.push_back(0);
  }
  gaps.push_back((recording.ended_at - last) / speed);
  EXPECT_EQ(script.pieces, pieces);
  EXPECT_EQ(script.pauses, gaps);

  const testee::WritePlan plan = testee::plan_writes(script);
  double planned = 0;
  for (const testee::Pause& pause : plan.pauses) planned += pause.seconds;
  EXPECT_NEAR(planned, recording.ended_at / speed, 1e-9);
  // Without its pauses it is the answer as recorded.
  testee::ResponseScript hasty = script;
  hasty.pauses.clear();
  EXPECT_EQ(testee::plan_writes(hasty).bytes, plan.bytes);
}

TEST(Timed, GapsAreTheRecordedGapsDividedByTheSpeed) {
  std::size_t count = 0;
  for (const Recording& recording : corpus()) {
    if (recording.ended_at <= 0) continue;
    ++count;
    for (const double speed : {1.0, 4.0, 0.3}) expect_recorded_gaps(recording, speed);
  }
  EXPECT_GT(count, 300U);
}

TEST(Timed, FaultShortensTheTimesWithTheBody) {
  const Recording& recording = a_call();
  for (std::size_t at = 0; at < recording.body.size(); at += 7) {
    const auto upstream = upstream_of(timed(recording, 2, "reset@" + std::to_string(at)), recording);
    ASSERT_TRUE(upstream) << describe(upstream.error());
    ASSERT_EQ(upstream->pauses.size(), upstream->cuts.size() + 2);
    EXPECT_EQ(upstream->pauses.back(), 0);
    const double last = recording.arrivals[upstream->cuts.size()].at;
    EXPECT_NEAR(std::accumulate(upstream->pauses.begin(), upstream->pauses.end(), 0.0), last / 2, 1e-9);
  }
}

TEST(Timed, CasesWithoutRecordedTimesAreRefused) {
  Recording recording = a_call();
  Case recut = timed(recording, 1);
  recut.recut = "char";
  const std::string begin = "recording openai.chat/tool-plain cannot be sent with its times: ";
  EXPECT_EQ(describe(upstream_of(recut, recording).error()),
            begin + "a recut has other chunks; remove recut");
  EXPECT_EQ(describe(upstream_of(timed(recording, 1, "status:503"), recording).error()),
            begin + "the fault replaces its response; remove the fault");
  recording.ended_at = 1e300;
  EXPECT_EQ(describe(upstream_of(timed(recording, 10'000), recording).error()),
            begin + "it would take more than a day; use a greater speed, such as gen=timed:1000");
  for (recording::Arrival& arrival : recording.arrivals) arrival.at = 0;
  recording.ended_at = 0;
  EXPECT_EQ(describe(upstream_of(timed(recording, 1), recording).error()),
            begin + "it has none; use gen=recorded");
}

TEST(Timed, CaseKeepsItsName) {
  const Recording& recording = a_call();
  const Case one = timed(recording, 4);
  EXPECT_EQ(to_string(one), "openai.chat/tool-plain?client=x&gen=timed:4");
  EXPECT_EQ(parse_case(to_string(one)).value(), one);
  EXPECT_EQ(lasting(one, upstream_of(one, recording)->cuts), one);
}

}  // namespace
}  // namespace splitproof::campaign::timed_test
