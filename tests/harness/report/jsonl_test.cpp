#include "harness/report/jsonl.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "constructed.hpp"

namespace splitproof::report::jsonl_test {
namespace {

using contract::Level;
using contract::Verdict;
using nlohmann::json;

// Removes content for programs that read the run back.
std::vector<json> lines(const std::string& report) {
  EXPECT_TRUE(!report.empty() && report.back() == '\n');
  std::vector<json> parsed;
  std::istringstream in(report);
  for (std::string line; std::getline(in, line);) {
    json one = json::parse(line, nullptr, false);
    EXPECT_FALSE(one.is_discarded()) << line;
    if (one.contains("rule") || one.contains("result") || one.contains("whole")) continue;
    one.erase("row");
    one.erase("run");
    parsed.push_back(std::move(one));
  }
  return parsed;
}

std::set<std::string> keys(const json& object) {
  std::set<std::string> names;
  for (const auto& entry : object.items()) names.insert(entry.key());
  return names;
}

Constructed one_of_each() {
  Constructed all;
  all.heading.contracts = {{"sse.yaml", "0123"}};
  all.heading.targets = {"ccr"};
  all.heading.profile = "default";
  all.heading.seed = 18446744073709551615U;
  all.heading.strict = true;
  all.recording("openai.chat/parallel", "ccr").row("ANT-08", Verdict::violated).row("ANT-01", Verdict::met);
  all.row("END-06", Verdict::not_exercised)
      .row("STOP-06", Verdict::not_judged)
      .row("END-07", Verdict::violated, Level::should);
  return all;
}

TEST(Jsonl, HeaderThenRowsThenFooter) {
  const Constructed all = one_of_each();
  const auto report = lines(jsonl_report(all.results, all.heading, all.summary(), true));
  ASSERT_EQ(report.size(), 8U);  // both findings have one cause
  EXPECT_EQ(report.front(), (json{{"splitproof", SPLITPROOF_VERSION},
                                  {"contracts", {{"sse.yaml", "0123"}}},
                                  {"targets", {"ccr"}},
                                  {"profile", "default"},
                                  {"seed", 18446744073709551615U},
                                  {"strict", true}}));
  EXPECT_EQ(report.back(), (json{{"verdict", "VIOLATES"},
                                 {"recordings", 1},
                                 {"cases", 10},
                                 {"judged", 3},
                                 {"not_exercised", 1},
                                 {"not_judged", 1},
                                 {"findings", 2},
                                 {"expected", 0},
                                 {"passed_on", 0},
                                 {"stale", json::array()},
                                 {"advisory", 0},
                                 {"unjudged_recordings", json::array()},
                                 {"unrun", 0},
                                 {"unreadable", 0},
                                 {"untargeted", 0},
                                 {"unclaimed", 0},
                                 {"unavailable", 0}}));
}

TEST(Jsonl, FindingsHaveTheFieldsThatAreFixed) {
  const Constructed all = one_of_each();
  const json finding = lines(jsonl_report(all.results, all.heading, all.summary(), true))[1];
  const std::string case_id = "openai.chat/parallel?client=anthropic.messages&cuts=17";
  EXPECT_EQ(finding, (json{{"target", "ccr"},
                           {"recording", "openai.chat/parallel"},
                           {"obligation", "ANT-08"},
                           {"level", "must"},
                           {"verdict", "violated"},
                           {"expected", false},
                           {"cases", 10},
                           {"violating", 4},
                           {"first", {{"case", case_id}, {"event", 6}, {"bytes", {912, 1044}}}},
                           {"message", "it went wrong"},
                           {"cause", "ANT-08"},
                           {"reproduce", "splitproof replay '" + case_id + "' --target ccr"}}));
}

TEST(Jsonl, RowsWithoutAFindingHaveAReason) {
  const Constructed all = one_of_each();
  const auto report = lines(jsonl_report(all.results, all.heading, all.summary(), true));
  const std::set<std::string> met{"target",  "recording", "obligation", "level",
                                  "verdict", "expected",  "cases",      "violating"};
  EXPECT_EQ(keys(report[2]), met);
  EXPECT_EQ(report[2]["expected"], true);
  for (const std::size_t row : {3, 4}) {
    std::set<std::string> with_reason = met;
    with_reason.insert("reason");
    EXPECT_EQ(keys(report[row]), with_reason);
    EXPECT_EQ(report[row]["reason"], "a reason");
  }
  EXPECT_EQ(report[3]["verdict"], "not exercised");
  EXPECT_EQ(report[4]["verdict"], "not judged");
  EXPECT_EQ(report[5]["level"], "should");
}

TEST(Jsonl, FindingsHaveReactionsAndTheHeaderHasRemarks) {
  using contract::Reaction;
  Constructed all = one_of_each();
  all.client("sdk", "ANT-08", Reaction::throws).client("sdk", "ANT-08", Reaction::wrong);
  all.client("cli", "ANT-08", Reaction::accepts).client("cli", "ANT-01", Reaction::accepts);
  all.heading.notes = {{"ccr", "boundaries unproven"}};
  const auto report = lines(jsonl_report(all.results, all.heading, all.summary(), true));
  EXPECT_EQ(report[0]["notes"], (json{{"ccr", "boundaries unproven"}}));
  EXPECT_EQ(report[1]["clients"], (json{{"sdk", {"silently wrong", "throws"}}, {"cli", {"accepts"}}}));
  for (const std::size_t row : {2, 3, 4, 5}) EXPECT_FALSE(report[row].contains("clients")) << report[row];
}

TEST(Jsonl, ExpectedFindingsAreMarked) {
  Constructed all;
  all.recording("a").row("X-1", Verdict::violated).last().expectation = results::Expectation{};
  all.row("X-2", Verdict::violated).row("X-3", Verdict::met).row("X-4", Verdict::met);
  all.row("X-4", Verdict::not_exercised);
  Summary summary = all.summary();
  summary.stale = {{{"reference", "*", "X-4", "why", "known.txt", 7}, "it was met"}};
  const auto report = lines(jsonl_report(all.results, all.heading, summary, true));
  ASSERT_EQ(report.size(), 8U);
  const std::vector<bool> expected{true, false, true, false, true};
  for (std::size_t row = 0; row < expected.size(); ++row) {
    EXPECT_EQ(report[row + 1]["expected"], json(static_cast<bool>(expected[row]))) << report[row + 1];
  }
  EXPECT_EQ(report.back()["verdict"], "VIOLATES");
  EXPECT_EQ(report.back()["findings"], 1);
  EXPECT_EQ(report.back()["expected"], 1);
  EXPECT_EQ(report.back()["stale"], (json::array({{{"file", "known.txt"},
                                                   {"line", 7},
                                                   {"expectation", "VIOLATES reference * X-4 # why"},
                                                   {"message", "it was met"}}})));
}

TEST(Jsonl, FindingAtTheEndHasNoEvent) {
  Constructed all = one_of_each();
  all.row("ANT-02", Verdict::violated).last().first->place.event.reset();
  const auto report = lines(jsonl_report(all.results, all.heading, all.summary(), true));
  EXPECT_EQ(keys(report[6]["first"]), (std::set<std::string>{"case", "bytes"}));
}

TEST(Jsonl, BrokenOffReportsHaveNoFooter) {
  const Constructed all = one_of_each();
  const std::string whole = jsonl_report(all.results, all.heading, all.summary(), true);
  const std::string part = jsonl_report(all.results, all.heading, all.summary(), false);
  EXPECT_EQ(lines(part).size(), 7U);
  EXPECT_EQ(whole.rfind(part, 0), 0U);
  EXPECT_EQ(lines(jsonl_report({}, {}, summarise({}, {}), false)).size(), 1U);
}

TEST(Jsonl, CausesComeAfterTheFindingsThatNameThem) {
  Constructed all;
  all.recording("chat/a")
      .row("ANT-02", Verdict::violated)
      .behaves("chat/a?client=anthropic.messages&gen=whole");
  all.recording("chat/b")
      .row("ANT-01", Verdict::violated)
      .behaves("chat/b?client=anthropic.messages&gen=recorded");
  all.row("ANT-03", Verdict::violated).last().expectation.emplace();
  all.recording("chat/c")
      .row("ANT-01", Verdict::violated)
      .behaves("chat/c?client=anthropic.messages&gen=whole");
  all.client("sdk", "ANT-02", contract::Reaction::wrong);
  const auto report = lines(jsonl_report(all.results, all.heading, all.summary(), true));
  ASSERT_EQ(report.size(), 8U);
  EXPECT_EQ(report[1]["cause"], "ANT-02");
  EXPECT_EQ(report[2]["cause"], "ANT-01");
  EXPECT_FALSE(report[3].contains("cause"));
  EXPECT_EQ(report[4]["cause"], "ANT-01");
  const std::string case_id = "chat/a?client=anthropic.messages&gen=whole";
  EXPECT_EQ(report[5],
            (json{{"cause", "ANT-02"},
                  {"target", "reference"},
                  {"number", 1},
                  {"level", "must"},
                  {"title", "A rule."},
                  {"says", "A rule."},
                  {"recordings", 1},
                  {"ordinary", 1},
                  {"cases", 4},
                  {"findings", 1},
                  {"follows", json::array()},
                  {"possibly", json::array()},
                  {"clients", {{"sdk", {{"reaction", "silently wrong"}, {"says", "It does."}}}}},
                  {"first",
                   {{"case", case_id}, {"event", 6}, {"bytes", {912, 1044}}, {"message", "it went wrong"}}},
                  {"reproduce", "splitproof replay '" + case_id + "' --target reference"}}));
  EXPECT_EQ(report[6]["cause"], "ANT-01");
  EXPECT_EQ(report[6]["number"], 2);
  EXPECT_EQ(report[6]["findings"], 2);
  EXPECT_EQ(report[7]["verdict"], "VIOLATES");
}

TEST(Jsonl, AnyBytesInAMessageAreOneLine) {
  for (const std::string& message :
       {std::string("a\nb\r\n\0c", 7), std::string("\xFF\xFE \xE2\x9C"), std::string("\"\\\x7F\x1B[31m")}) {
    Constructed all;
    all.recording("r").row("ANT-01", Verdict::violated, Level::must, message);
    EXPECT_EQ(lines(jsonl_report(all.results, all.heading, all.summary(), true)).size(), 4U);
  }
}

}  // namespace
}  // namespace splitproof::report::jsonl_test
