#include "harness/report/headline.hpp"

#include <gtest/gtest.h>

#include "constructed.hpp"
#include "harness/report/cause_text.hpp"
#include "harness/report/console.hpp"
#include "harness/report/formats.hpp"
#include "harness/report/run_context.hpp"

namespace splitproof::report::headline_test {
namespace {

using contract::Verdict;

std::string headline_of(const Constructed& all, const Summary& summary, bool complete = true) {
  return headline(all.results, all.heading, summary, complete);
}

Constructed of_two_bugs() {
  Constructed all;
  all.heading.targets = {"proxy"};
  all.recording("a", "proxy").row("ANT-01", Verdict::violated).row("RUN-01", Verdict::violated);
  all.recording("b", "proxy").row("ANT-01", Verdict::violated);
  all.results.back().cases = 2990;
  all.results.back().called = 2990;
  all.heading.details.milliseconds = 58'400;
  return all;
}

TEST(Headline, CountsBugsAndNamesCrashes) {
  const Constructed all = of_two_bugs();
  const Summary summary = all.summary();
  std::size_t crash = 0;
  for (std::size_t i = 0; i < summary.causes.size(); ++i)
    if (summary.causes[i].rule->id == "RUN-01") crash = i + 1;
  EXPECT_EQ(headline_of(all, summary), "FAIL: 2 bugs (3 findings) in 3,000 cases, 58 s; proxy crashes (bug " +
                                           std::to_string(crash) + ")");
  EXPECT_NE(headline_of(all, summary, false).find("INTERRUPTED: 2 bugs (3 findings)"), std::string::npos);
}

TEST(Headline, PassNamesKnownFindingsAndAnEarlyEnd) {
  Constructed all;
  all.heading.targets = {"proxy"};
  all.recording("a", "proxy").row("ANT-01", Verdict::met);
  EXPECT_EQ(headline_of(all, all.summary()), "PASS: no bugs in 10 cases");
  all.row("ANT-02", Verdict::violated).last().expectation.emplace();
  EXPECT_EQ(headline_of(all, all.summary()), "PASS: no new bugs (1 known finding) in 10 cases");
  Summary early = all.summary();
  early.cut_short = {"10m", 100, 0};
  EXPECT_EQ(headline_of(all, early), "PASS SO FAR: no new bugs (1 known finding) in 10 cases");
}

TEST(Headline, FailNamesEveryOtherReason) {
  Constructed all;
  all.heading.targets = {"proxy"};
  all.recording("a", "proxy").row("ANT-01", Verdict::met);
  all.recording("b", "proxy").row("ANT-01", Verdict::not_judged);
  Summary summary = all.summary();
  summary.stale.resize(2);
  summary.unwritten = 1;
  EXPECT_EQ(
      headline_of(all, summary),
      "FAIL: no bugs, 2 stale expectations, 1 recording without a judged rule, 1 file not written in 20 cases");
}

// The verdict for people and the verdict for programs agree.
TEST(Headline, AgreesWithTheLastLine) {
  for (const bool fails : {false, true}) {
    Constructed all;
    all.heading.targets = {"proxy"};
    all.recording("a", "proxy").row("ANT-01", fails ? Verdict::violated : Verdict::met);
    const Summary summary = all.summary();
    EXPECT_EQ(headline_of(all, summary).starts_with("PASS"),
              verdict_line(summary).starts_with("splitproof: CONFORMS"));
  }
}

TEST(Headline, TargetThatNeverCalledItsUpstreamIsNotTested) {
  Constructed all = of_two_bugs();
  all.heading.untested["proxy"] = "it never called its upstream";
  EXPECT_NE(headline_of(all, all.summary()).find("; not tested to the end: proxy: it never called"),
            std::string::npos);
  for (results::RecordingResult& result : all.results) result.called = 0;
  EXPECT_EQ(headline_of(all, all.summary()), "NOT TESTED: proxy: it never called its upstream");
}

TEST(Console, FirstLineIsTheSentenceAndLastLineTheVerdict) {
  const Constructed all = of_two_bugs();
  const std::string report = console_report(all.results, all.heading, all.summary());
  EXPECT_TRUE(report.starts_with("FAIL: 2 bugs (3 findings) in 3,000 cases, 58 s; ")) << report;
  EXPECT_TRUE(report.ends_with("\n" + verdict_line(all.summary()) + "\n")) << report;
}

TEST(CountCases, CaseWithSeveralRulesCountsOnce) {
  Constructed all;
  all.recording("a").row("ANT-01", Verdict::violated);
  all.behaves("a?client=anthropic.messages&gen=whole");
  cause::Cause cause = all.summary().causes.at(0);
  cause.occurrences.push_back(cause.occurrences.front());
  EXPECT_EQ(count_cases(cause), 4U);
  cause.occurrences.back().case_id += "&more";
  EXPECT_EQ(count_cases(cause), 8U);
}

TEST(RunContext, IsInTheConsoleAndInEveryFormat) {
  Constructed all = of_two_bugs();
  all.heading.strict = true;
  all.heading.quick = true;
  all.heading.seed = 77;
  all.heading.details.commands = {"splitproof run --target proxy.yaml --quick"};
  all.heading.details.began = "2026-11-29T10:01:07Z";
  all.heading.details.suites = {"0.9.9"};
  all.heading.details.versions = {{"proxy", "proxy 3.1.4"}};
  const std::vector<std::string> words{"splitproof run --target proxy.yaml --quick",
                                       "2026-11-29",
                                       "10:01:07",
                                       "quick",
                                       "77",
                                       "0.9.9",
                                       "proxy 3.1.4",
                                       "58"};
  const auto expect_all = [&](std::string_view name, std::string text) {
    std::erase(text, '\\');  // Markdown's escapes
    for (const std::string& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << word << " in " << name << "\n" << text;
  };
  const Summary summary = all.summary();
  const std::string console = console_report(all.results, all.heading, summary);
  expect_all("console", console);
  EXPECT_NE(console.find("must or should"), std::string::npos);
  for (const Format& format : formats()) {
    if (format.name == "badge") continue;  // it has no room
    std::string text = format.write(all.results, all.heading, summary, true);
    for (std::size_t at = 0; (at = text.find("%3A", at)) != std::string::npos;) text.replace(at, 3, ":");
    expect_all(format.name, text);
  }
}

TEST(DurationText, HasTwoUnitsAtMost) {
  EXPECT_EQ(duration_text(420), "0.42 s");
  EXPECT_EQ(duration_text(3'260), "3.3 s");
  EXPECT_EQ(duration_text(58'400), "58 s");
  EXPECT_EQ(duration_text(250'000), "4 min 10 s");
  EXPECT_EQ(duration_text(7'500'000), "2 h 5 min");
}

TEST(Grouped, SeparatesThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(2'855, "case"), "2,855 cases");
  EXPECT_EQ(grouped(1'000'000), "1,000,000");
  EXPECT_EQ(grouped(1, "case"), "1 case");
}

}  // namespace
}  // namespace splitproof::report::headline_test
