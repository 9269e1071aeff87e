#include "harness/report/since.hpp"

#include <gtest/gtest.h>

#include "constructed.hpp"
#include "harness/report/html.hpp"

namespace splitproof::report::since_test {
namespace {

Constructed run(const std::string& target, const std::vector<std::string>& violated,
                const std::string& met = {}) {
  Constructed all;
  all.heading.targets = {target};
  for (const std::string& rule : violated) {
    all.recording("chat/" + rule, target).row(rule, contract::Verdict::violated);
    all.behaves("chat/" + rule + "?client=anthropic.messages&gen=whole");
  }
  if (!met.empty()) all.recording("chat/" + met, target).row(met, contract::Verdict::met);
  return all;
}

Since compare(const Constructed& before, const Constructed& after) {
  return since("old.jsonl", {before.heading, before.results}, after.heading, after.results);
}

TEST(Since, RuleWithoutAnEarlierFindingIsNew) {
  const Constructed before = run("proxy", {"ANT-08", "ANT-09"});
  const Constructed after = run("proxy", {"ANT-08", "ANT-10"}, "ANT-09");
  const Since since = compare(before, after);
  const Summary summary = after.summary();
  ASSERT_EQ(summary.causes.size(), 2U);
  for (const cause::Cause& cause : summary.causes)
    EXPECT_EQ(since.is_new(cause), cause.rule->id == "ANT-10") << cause.rule->id;
  EXPECT_EQ(since.fixed, 1U);
}

TEST(Since, RuleThatIsNoLongerJudgedIsNotFixed) {
  EXPECT_EQ(compare(run("proxy", {"ANT-08", "ANT-09"}), run("proxy", {"ANT-08"})).fixed, 0U);
}

TEST(Since, SingleTargetMayHaveAnotherName) {
  const Constructed after = run("proxy-2", {"ANT-08"});
  const Summary summary = after.summary();
  EXPECT_FALSE(compare(run("proxy-1", {"ANT-08"}), after).is_new(summary.causes.front()));
}

TEST(Since, OtherCasesAreMentionedOnThePage) {
  const Constructed before = run("proxy", {"ANT-08"});
  Constructed after = before;
  EXPECT_TRUE(compare(before, after).same_cases);
  after.heading.seed = 7;
  EXPECT_FALSE(compare(before, after).same_cases);
  Summary summary = after.summary();
  summary.since = compare(before, after);
  const std::string page = html_report(after.results, after.heading, summary, true);
  EXPECT_NE(
      page.find("Since old.jsonl: 0 new bugs, 1 as before, 0 fixed. The two runs differ in their cases"),
      std::string::npos);
  EXPECT_EQ(page.find("data-new"), page.rfind("data-new")) << "no bug is new";
}

}  // namespace
}  // namespace splitproof::report::since_test
