#include "harness/report/difference.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::report::difference_test {
namespace {

std::string header(const std::string& target, const std::string& more = "") {
  return R"({"splitproof":"1","contracts":{"a.yaml":"1"},"targets":[")" + target +
         R"("],"profile":"default","seed":1,"strict":false)" + more + "}\n";
}

std::string row(const std::string& target, const std::string& recording, const std::string& obligation,
                const std::string& verdict, int violating = 0, const std::string& level = "must") {
  return R"({"target":")" + target + R"(","recording":")" + recording + R"(","obligation":")" + obligation +
         R"(","level":")" + level + R"(","verdict":")" + verdict + R"(","cases":10,"violating":)" +
         std::to_string(violating) + R"(,"reason":"R","message":"M","reproduce":"splitproof replay X"})" +
         "\n";
}

const std::string kFooter = R"({"verdict":"VIOLATES","not_exercised":0})"
                            "\n";

Result<Difference> diff(const std::string& before, const std::string& after, bool strict = false) {
  const auto one = read_report(before, "old");
  if (!one) return tl::unexpected(one.error());
  const auto other = read_report(after, "new");
  if (!other) return tl::unexpected(other.error());
  return difference(*one, *other, strict);
}

std::string last_line(const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); }

TEST(Difference, SaysWhatIsNewlyViolatedMendedUnchangedAndNoLongerJudged) {
  const auto found =
      diff(header("t") + row("t", "a", "ANT-01", "met") + row("t", "b", "ANT-01", "not exercised") +
               row("t", "a", "ANT-02", "violated", 1) + row("t", "a", "ANT-03", "violated", 1) +
               row("t", "a", "ANT-04", "met") + row("t", "a", "ANT-05", "violated", 3) +
               row("t", "a", "ANT-06", "met") + kFooter,
           header("t") + row("t", "a", "ANT-01", "violated", 2) + row("t", "b", "ANT-01", "violated", 2) +
               row("t", "a", "ANT-02", "met") + row("t", "a", "ANT-03", "violated", 4) +
               row("t", "a", "ANT-04", "not judged") + row("t", "a", "ANT-05", "not exercised") +
               row("t", "a", "ANT-06", "met") + R"({"cause":"a line of another kind"})" + "\n" + kFooter);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_TRUE(found->worse);
  EXPECT_EQ(found->text,
            "compared       7 results\n\n"
            "newly violated: 1 rule on 2 recordings\n"
            "  ANT-01  must  2 recordings on t\n    a: M\n    splitproof replay X\n    also b\n\n"
            "mended: 1 rule on 1 recording\n"
            "  ANT-02  must  1 recording on t\n    a\n\n"
            "no longer judged or exercised: 2 rules on 1 recording\n"
            "  ANT-04  must  1 recording on t\n    a: R\n"
            "  ANT-05  must  1 recording on t\n    a: R\n\n"
            "violated as before: 1 rule on 1 recording, 1 result in a larger share of its cases\n\n"
            "splitproof: WORSE  1 rule newly violated, 1 mended, 1 violated as before, 2 no longer judged\n");
}

TEST(Difference, OfTheSameIsTheSame) {
  const std::string report = header("t") + row("t", "a", "ANT-01", "violated", 1) + kFooter;
  const auto found = diff(report, report);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->worse);
  EXPECT_EQ(last_line(found->text),
            "splitproof: SAME  0 rules newly violated, 0 mended, 1 violated as before, 0 no longer judged\n");
}

TEST(Difference, IsBetterWhereOnlySomethingWasMended) {
  const auto found = diff(header("t") + row("t", "a", "ANT-01", "violated", 1) + kFooter,
                          header("t") + row("t", "a", "ANT-01", "met") + kFooter);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->worse);
  EXPECT_TRUE(last_line(found->text).starts_with("splitproof: BETTER  "));
}

TEST(Difference, AdviceDecidesOnlyWhereAsked) {
  const std::string before = header("t") + row("t", "a", "ANT-01", "met", 0, "should") + kFooter;
  const std::string after = row("t", "a", "ANT-01", "violated", 1, "should") + kFooter;
  EXPECT_FALSE(diff(before, header("t") + after)->worse);
  EXPECT_TRUE(diff(before, header("t") + after, true)->worse);
}

TEST(Difference, OfOneTargetEachIsNotPutOffByTheirNames) {
  const auto found = diff(header("ccr1") + row("ccr1", "a", "ANT-01", "met") + kFooter,
                          header("ccr2") + row("ccr2", "a", "ANT-01", "violated", 1) + kFooter);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->worse);
  EXPECT_TRUE(found->text.starts_with("compared       1 result of ccr2 with those of ccr1\n")) << found->text;
}

TEST(Difference, WhatOneReportLacksDecidesNothing) {
  const auto found =
      diff(header("t") + row("t", "a", "ANT-01", "met") + row("t", "b", "ANT-01", "met") + kFooter,
           header("t") + row("t", "a", "ANT-01", "met") + row("t", "c", "ANT-01", "violated", 1) + kFooter);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->worse);
  EXPECT_NE(found->text.find("not compared   1 result only in the old report, 1 only in the new one\n"),
            std::string::npos)
      << found->text;
}

// A crash is told by a rule of which there is a row only then.
TEST(Difference, ARuleThatOnlyTheNewReportHasIsNewlyViolated) {
  const std::string before = header("t") + row("t", "a", "ANT-01", "met") + kFooter;
  const std::string after = row("t", "a", "ANT-01", "met") + row("t", "a", "RUN-01", "violated", 1) + kFooter;
  EXPECT_TRUE(diff(before, header("t") + after)->worse);
  const auto other_rules = diff(before, header("t", R"(,"contracts":{"a.yaml":"2"})") + after);
  ASSERT_TRUE(other_rules);
  EXPECT_FALSE(other_rules->worse) << "the rule may be new";
  EXPECT_NE(other_rules->text.find("warning: the contracts differ"), std::string::npos);
}

TEST(Difference, WarnsOfWhatTheVersionDidNotChange) {
  const auto found = diff(header("t") + row("t", "a", "ANT-01", "met") + kFooter,
                          header("t", R"(,"profile":"claude-code","seed":2,"untested":{"t":"it hangs"})") +
                              row("t", "a", "ANT-01", "met") + kFooter);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->text.starts_with(
      "splitproof: warning: the profile differs: default and claude-code\n"
      "splitproof: warning: the seed differs: 1 and 2\n"
      "splitproof: warning: the new report is of a run in which t was not tested to the end\n"))
      << found->text;
}

TEST(Difference, RefusesWhatCannotBeCompared) {
  const std::string good = header("t") + row("t", "a", "ANT-01", "met") + kFooter;
  const auto says = [&](const std::string& before, const std::string& after) {
    const auto found = diff(before, after);
    return found ? std::string() : describe(found.error());
  };
  EXPECT_EQ(says("", good), "old: the file is empty; name a file that --report jsonl:PATH wrote");
  EXPECT_EQ(says("<xml/>\n", good),
            "old:1: this is no report of splitproof run; name a file that --report jsonl:PATH wrote");
  EXPECT_EQ(says(good, good + good),
            "new:4: this is no report of splitproof run; name a file that --report jsonl:PATH wrote");
  EXPECT_EQ(says(good, header("t") + row("t", "a", "ANT-01", "met")),
            "new:2: the report has no last line: its run was broken off; let it run to its end");
  EXPECT_EQ(says(good, header("t") + row("t", "b", "ANT-01", "met") + kFooter),
            "the reports have no result in common; compare runs of the same target and the same recordings");
}

}  // namespace
}  // namespace splitproof::report::difference_test
