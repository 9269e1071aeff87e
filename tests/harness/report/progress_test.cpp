#include "harness/report/progress.hpp"

#include <gtest/gtest.h>

#include "constructed.hpp"
#include "harness/report/badge.hpp"
#include "harness/report/jsonl.hpp"

namespace splitproof::report::progress_test {
namespace {

using contract::Verdict;
using std::chrono::seconds;

TEST(Progress, TimesAreRough) {
  EXPECT_EQ(rough_time(seconds(0)), "0s");
  EXPECT_EQ(rough_time(seconds(45)), "45s");
  EXPECT_EQ(rough_time(seconds(60)), "1m");
  EXPECT_EQ(rough_time(seconds(90)), "90s");
  EXPECT_EQ(rough_time(seconds(600)), "10m");
  EXPECT_EQ(rough_time(seconds(3600)), "60m");
  EXPECT_EQ(rough_time(seconds(3900 + 3600)), "2h05m");
}

TEST(Progress, ShowsTheRateAndTheRemainingCases) {
  const campaign::CampaignProgress progress{3, 10, 100, 1100, 1};
  EXPECT_EQ(progress_text(progress, seconds(0), {}), "3/10 recordings, 100 of about 1100 cases, 1 finding");
  EXPECT_EQ(progress_text(progress, seconds(10), {}),
            "3/10 recordings, 100 of about 1100 cases, 1 finding, 10 a second, 100s left");
  EXPECT_TRUE(progress_text(progress, seconds(10), seconds(30)).ends_with(", 20s left"));
  EXPECT_EQ(progress_text({0, 10, 0, 1100, 0}, seconds(0), seconds(30)),
            "0/10 recordings tried, 0 of about 1100 cases, 0 findings, 30s left");
  EXPECT_EQ(progress_text({0, 10, 100, 1100, 1, 7}, seconds(10), seconds(30)),
            "7/10 recordings tried, 100 of about 1100 cases, 1 finding, 10 a second, 20s left");
  EXPECT_TRUE(progress_text(progress, seconds(40), seconds(30)).ends_with(", 0s left"));
}

TEST(Progress, LogHasALineForEachMinute) {
  const campaign::CampaignProgress progress{3, 10, 100, 1100, 1};
  ProgressLine log(false, {});
  EXPECT_EQ(log.at(progress, seconds(59)), "");
  const std::string line = log.at(progress, seconds(61));
  EXPECT_TRUE(line.starts_with("splitproof: 61s: 3/10 recordings, ")) << line;
  EXPECT_TRUE(line.ends_with(" left\n")) << line;
  EXPECT_EQ(log.at(progress, seconds(119)), "");
  EXPECT_NE(log.at(progress, seconds(300)), "");
  EXPECT_EQ(log.at(progress, seconds(300)), "");
  ProgressLine terminal(true, {});
  EXPECT_TRUE(terminal.at(progress, seconds(1)).starts_with("\r\033[K3/10 recordings, "));
}

TEST(Throughput, FasterSettingsAreSuggested) {
  Throughput one{{10, 80, 8}, 390, 8};
  EXPECT_EQ(text_of(one), "39 cases a second with 8 at once");
  one.idle_processors = 0.6;
  EXPECT_EQ(text_of(one),
            "39 cases a second with 8 at once; the processors were idle for 60 % of the time, so try "
            "max_concurrency: 16");
  one.can_overlap = false;
  EXPECT_EQ(text_of(one), "39 cases a second with 8 at once");
  one.can_multiply = true;
  EXPECT_TRUE(text_of(one).ends_with(", so try instances: 2")) << "one at a time" << text_of(one);
  one.can_overlap = true;
  one.instances = 4;
  EXPECT_TRUE(text_of(one).ends_with(", so try instances: 8")) << text_of(one);
  one.instances = 1;
  one.pace.busy = 30;
  EXPECT_EQ(text_of(one), "39 cases a second with 8 at once") << "not so many were in flight";
  one.max_concurrency = 12;
  EXPECT_TRUE(text_of(one).ends_with(", so try --jobs 12")) << text_of(one);
  one.fell = true;
  EXPECT_TRUE(text_of(one).ends_with("try max_concurrency: 4")) << text_of(one);
  one.pace.at_once = 1;
  EXPECT_EQ(text_of(one), "39 cases a second with 1 at once");
}

TEST(CutShort, IsNeverPlainConformance) {
  Constructed all;
  all.recording("a").row("ANT-01", Verdict::met);
  all.results.back().cases = 4;
  Summary summary = all.summary();
  EXPECT_TRUE(verdict_line(summary).starts_with("splitproof: CONFORMS  "));
  summary.cut_short = {"10m", 100, 0};
  EXPECT_TRUE(verdict_line(summary).starts_with("splitproof: CONFORMS SO FAR  ")) << verdict_line(summary);
  EXPECT_TRUE(verdict_line(summary).ends_with(", stopped after 10m: 4 of about 100 cases tried"));
  EXPECT_NE(jsonl_report(all.results, all.heading, summary, true)
                .find(R"("stopped_after":"10m","planned":100,"unreached":0,)"),
            std::string::npos);
  EXPECT_NE(badge(all.results, all.heading, summary, true).find("\"conforms so far\""), std::string::npos);
  summary.cut_short->unreached = 2;
  EXPECT_FALSE(summary.conforms());
  EXPECT_TRUE(verdict_line(summary).starts_with("splitproof: VIOLATES  ")) << verdict_line(summary);
  EXPECT_NE(verdict_line(summary).find(", 2 recordings not reached, stopped after 10m"), std::string::npos);
}

}  // namespace
}  // namespace splitproof::report::progress_test
