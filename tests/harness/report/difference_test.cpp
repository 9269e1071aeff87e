#include "harness/report/difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace splitproof::report::difference_test {
namespace {

using contract::Level;
using contract::Verdict;
using results::RunResult;

// Returns a report without results.
RunResult of(const std::string& target) {
  RunResult run;
  run.header.contracts = {{"a.yaml", "1"}};
  run.header.targets = {target};
  run.header.profile = "default";
  run.header.seed = 1;
  return run;
}

struct Told {
  std::string target;
  std::string recording;
  results::Row row;
};

Told row(const std::string& target, const std::string& recording, const std::string& rule, Verdict verdict,
         std::size_t violating = 0, Level level = Level::must) {
  Told told{target, recording, {rule, level, verdict, "R", 10, violating}};
  if (verdict != Verdict::violated) return told;
  told.row.first.emplace();
  told.row.first->case_id = "X";
  told.row.first->message = "M";
  return told;
}

RunResult operator+(RunResult run, const Told& told) {
  auto result = std::find_if(run.recordings.begin(), run.recordings.end(), [&](const auto& one) {
    return one.target == told.target && one.recording.id == told.recording;
  });
  if (result == run.recordings.end()) {
    result = run.recordings.emplace(run.recordings.end());
    result->target = told.target;
    result->recording.id = told.recording;
  }
  result->rows.push_back(told.row);
  return run;
}

Result<Difference> diff(const RunResult& before, const RunResult& after, bool strict = false) {
  return difference(before, after, strict);
}

std::string last_line(const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); }

TEST(Difference, SaysWhatIsNewlyViolatedMendedUnchangedAndNoLongerJudged) {
  const auto found =
      diff(of("t") + row("t", "a", "ANT-01", Verdict::met) + row("t", "b", "ANT-01", Verdict::not_exercised) +
               row("t", "a", "ANT-02", Verdict::violated, 1) + row("t", "a", "ANT-03", Verdict::violated, 1) +
               row("t", "a", "ANT-04", Verdict::met) + row("t", "a", "ANT-05", Verdict::violated, 3) +
               row("t", "a", "ANT-06", Verdict::met),
           of("t") + row("t", "a", "ANT-01", Verdict::violated, 2) +
               row("t", "b", "ANT-01", Verdict::violated, 2) + row("t", "a", "ANT-02", Verdict::met) +
               row("t", "a", "ANT-03", Verdict::violated, 4) + row("t", "a", "ANT-04", Verdict::not_judged) +
               row("t", "a", "ANT-05", Verdict::not_exercised) + row("t", "a", "ANT-06", Verdict::met));
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_TRUE(found->worse);
  EXPECT_EQ(found->text,
            "compared       7 results\n\n"
            "newly violated: 1 rule on 2 recordings\n"
            "  ANT-01  must  2 recordings on t\n    a: M\n    splitproof replay X --target t\n    also b\n\n"
            "fixed: 1 rule on 1 recording\n"
            "  ANT-02  must  1 recording on t\n    a\n\n"
            "no longer judged or exercised: 2 rules on 1 recording\n"
            "  ANT-04  must  1 recording on t\n    a: R\n"
            "  ANT-05  must  1 recording on t\n    a: R\n\n"
            "violated as before: 1 rule on 1 recording, 1 result in a larger share of its cases\n\n"
            "splitproof: WORSE  1 rule newly violated, 1 fixed, 1 violated as before, 2 no longer judged\n");
}

TEST(Difference, OfTheSameIsTheSame) {
  const RunResult report = of("t") + row("t", "a", "ANT-01", Verdict::violated, 1);
  const auto found = diff(report, report);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->worse);
  EXPECT_EQ(last_line(found->text),
            "splitproof: SAME  0 rules newly violated, 0 fixed, 1 violated as before, 0 no longer judged\n");
}

TEST(Difference, IsBetterWhereOnlySomethingWasMended) {
  const auto found = diff(of("t") + row("t", "a", "ANT-01", Verdict::violated, 1),
                          of("t") + row("t", "a", "ANT-01", Verdict::met));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->worse);
  EXPECT_TRUE(last_line(found->text).starts_with("splitproof: BETTER  "));
}

TEST(Difference, AdviceDecidesOnlyWhereAsked) {
  const RunResult before = of("t") + row("t", "a", "ANT-01", Verdict::met, 0, Level::should);
  const RunResult after = of("t") + row("t", "a", "ANT-01", Verdict::violated, 1, Level::should);
  EXPECT_FALSE(diff(before, after)->worse);
  EXPECT_TRUE(diff(before, after, true)->worse);
}

TEST(Difference, OfOneTargetEachIsNotPutOffByTheirNames) {
  const auto found = diff(of("ccr1") + row("ccr1", "a", "ANT-01", Verdict::met),
                          of("ccr2") + row("ccr2", "a", "ANT-01", Verdict::violated, 1));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->worse);
  EXPECT_TRUE(found->text.starts_with("compared       1 result of ccr2 with those of ccr1\n")) << found->text;
}

TEST(Difference, WhatOneReportLacksDecidesNothing) {
  const auto found =
      diff(of("t") + row("t", "a", "ANT-01", Verdict::met) + row("t", "b", "ANT-01", Verdict::met),
           of("t") + row("t", "a", "ANT-01", Verdict::met) + row("t", "c", "ANT-01", Verdict::violated, 1));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->worse);
  EXPECT_NE(found->text.find("not compared   1 result only in the old report, 1 only in the new one\n"),
            std::string::npos)
      << found->text;
}

// The rule about crashes has a row only after a crash.
TEST(Difference, ARuleThatOnlyTheNewReportHasIsNewlyViolated) {
  const RunResult before = of("t") + row("t", "a", "ANT-01", Verdict::met);
  RunResult after =
      of("t") + row("t", "a", "ANT-01", Verdict::met) + row("t", "a", "RUN-01", Verdict::violated, 1);
  EXPECT_TRUE(diff(before, after)->worse);
  after.header.contracts["a.yaml"] = "2";
  const auto other_rules = diff(before, after);
  ASSERT_TRUE(other_rules);
  EXPECT_FALSE(other_rules->worse) << "the rule may be new";
  EXPECT_NE(other_rules->text.find("warning: the contracts differ"), std::string::npos);
}

TEST(Difference, WarnsOfWhatTheVersionDidNotChange) {
  const RunResult before = of("t") + row("t", "a", "ANT-01", Verdict::met);
  RunResult after = before;
  after.header.profile = "claude-code";
  after.header.seed = 2;
  after.header.untested["t"] = "it hangs";
  const auto found = diff(before, after);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->text.starts_with(
      "splitproof: warning: the profile differs: default and claude-code\n"
      "splitproof: warning: the seed differs: 1 and 2\n"
      "splitproof: warning: the new report is of a run that did not test t to the end\n"))
      << found->text;
}

TEST(Difference, RefusesWhatCannotBeCompared) {
  const auto found =
      diff(of("t") + row("t", "a", "ANT-01", Verdict::met), of("t") + row("t", "b", "ANT-01", Verdict::met));
  ASSERT_FALSE(found);
  EXPECT_EQ(describe(found.error()),
            "the reports have no result in common; compare runs of the same target and the same recordings");
}

}  // namespace
}  // namespace splitproof::report::difference_test
