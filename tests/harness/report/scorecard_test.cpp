#include "harness/report/scorecard.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "constructed.hpp"

namespace splitproof::report::scorecard_test {
namespace {

using contract::Level;
using contract::Reaction;
using contract::Verdict;

std::string page(const Constructed& all, bool complete = true) {
  return scorecard(all.results, all.heading, all.summary(), complete);
}

void expect_parts(const std::string& page, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t found = page.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << "\nis not, or not in its place, in\n" << page;
    at = found + part.size();
  }
}

Constructed two_targets() {
  Constructed all;
  all.heading.targets = {"one", "two", "idle"};
  all.heading.corpora = {"here"};
  all.heading.profile = "default";
  all.heading.seed = 7;
  all.heading.notes = {{"two", "version 1.2"}};
  for (const char* target : {"one", "two"}) {
    const bool bad = std::string(target) == "two";
    const auto worse = bad ? Verdict::violated : Verdict::met;
    all.recording("a", target)
        .row("OUGHT-1", worse, Level::should, "advised")
        .row("ANT-01", worse)
        .row("ANT-02", Verdict::not_exercised)
        .row("ANT-03", Verdict::not_judged);
    all.recording("b", target)
        .row("OUGHT-1", Verdict::met, Level::should)
        .row("ANT-01", worse, Level::must, "later")
        .row("ANT-02", bad ? Verdict::violated : Verdict::not_exercised)
        .row("REQ-05", worse)
        .row("ANT-03", Verdict::not_exercised);
    if (bad) continue;
    all.row("ANT-04", Verdict::met);
  }
  return all;
}

TEST(Scorecard, HasARowForEachObligationAndAColumnForEachTarget) {
  expect_parts(page(two_targets()),
               {"# Scorecard of splitproof " SPLITPROOF_VERSION "\n\n**FAIL: ",
                "\n```text\nsplitproof: VIOLATES  2 recordings, 40 cases, ",
                "\n```\n\n- cases: all planned cases; seed 7, profile default\n",
                "\n2 recordings of here, seed 7, profile `default`.\n",
                "| `one` | conforms | 2 | 0 | 20 | 4 | 0 | 0 | 0 | 0 | 0 | 1 | 1 |\n"
                "| `two` | **violates** | 2 | 0 | 20 | 0 | 3 | 1 | 0 | 0 | 1 | 0 | 1 |\n"
                "| `idle` | not run | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |\n"
                "\n- `two`: version 1\\.2\n",
                "| obligation | level | `one` | `two` | `idle` |\n|---|---|---|---|---|\n"
                "| [ANT-01](#ant-01) | must | met | **violated** 8/20 |  |\n"
                "| [ANT-02](#ant-02) | must | not exercised | **violated** 4/10 |  |\n"
                "| ANT-03 | must | not judged | not judged |  |\n"
                "| [REQ-05](#req-05) | must | met | **violated** 4/10 |  |\n"
                "| ANT-04 | must | met |  |  |\n"
                "| [OUGHT-1](#ought-1) | should | met | violated 4/20 |  |\n",
                "\n## What was violated\n", "\n### ANT-01\n", "\n### ANT-02\n", "\n### OUGHT-1\n"});
  Constructed strict = two_targets();
  strict.heading.strict = true;
  expect_parts(page(strict), {"| [OUGHT-1](#ought-1) | should | met | **violated** 4/20 |  |\n"});
}

TEST(Scorecard, ProvesEachViolation) {
  Constructed all = two_targets();
  all.client("sdk", "ANT-01", Reaction::throws)
      .client("cli", "ANT-01", Reaction::wrong)
      .client("bot", "ANT-03", Reaction::wrong);
  const std::string text = page(all);
  expect_parts(
      text,
      {"\n### ANT-01\n\n**must:** A rule.\n",
       "| `sdk` 1\\.0 | A stream. | throws: It does. |\n| `cli` 1\\.0 | A stream. | silently wrong: It does. |\n",
       "\n#### ANT-01 and `two`\n\n8 cases of 2 recordings. The clearest case is "
       "`a?client=anthropic.messages&cuts=17`.\n\n> Found: it went wrong\n\n```sh\nsplitproof replay "
       "'a?client=anthropic.messages&cuts=17' --target two\n```\n\nThe upstream's answer, around the cut:\n\n"
       "```text\ndata: {\"text\":\"\\xe2\\x9c|\\x93\"}\\n\\n\n",
       "^ cut at byte 17\n```\n\nDownstream bytes 912 to 1044:\n\n```text\ndata: x\\n\n```\n",
       "\n## Clients\n\n- `sdk`: the sdk 1\\.0, `as it comes`\n- `cli`: the cli 1\\.0, `as it comes`\n"});
  EXPECT_EQ(text.find("`bot`", text.find("\n## What was violated")), std::string::npos)
      << "nothing violates what it stumbles over";
  EXPECT_EQ(text.find("and `one`"), std::string::npos);
}

TEST(Scorecard, CutsOfTheUpstreamAreShown) {
  Constructed all;
  all.heading.targets = {"reference"};
  all.recording("a").row("ANT-01", Verdict::violated);
  results::Reproducer& first = *all.last().first;
  first.upstream.cuts = {1, 2, 3, 4};
  first.downstream.clear();
  expect_parts(page(all), {"\nThe upstream's answer is cut in 4 places.\n"});
  EXPECT_EQ(page(all).find("Downstream bytes"), std::string::npos);
  first.upstream.cuts = {1, 2, 3};
  expect_parts(page(all), {"^ cut at byte 1\n", "^ cut at byte 2\n", "^ cut at byte 3\n"});
  EXPECT_EQ(page(all).find("differs from the recording"), std::string::npos);
  first.upstream.cuts = {};
  first.only_cut = false;
  expect_parts(page(all), {"differs from the recording", "\nThe upstream's answer arrives in one chunk.\n"});
}

TEST(Scorecard, ExpectedFindingsAndStaleExpectationsAreShown) {
  Constructed all;
  all.heading.targets = {"reference"};
  all.recording("a").row("ANT-01", Verdict::violated).last().expectation = {"*",         "*",         "*",
                                                                            "told them", "known.txt", 2};
  all.row("ANT-02", Verdict::violated).last().expectation.emplace();
  all.recording("b").row("ANT-01", Verdict::met).row("ANT-02", Verdict::violated);
  Summary summary = all.summary();
  summary.stale = {{{"reference", "x", "ANT-03", "", "known.txt", 3}, "it was met"}};
  expect_parts(
      scorecard(all.results, all.heading, summary, true),
      {"| `reference` | **violates** | 2 | 0 | 20 | 0 | 1 | 0 | 1 | 0 | 0 | 0 | 0 |\n",
       "| [ANT-01](#ant-01) | must | expected 4/20 |\n| [ANT-02](#ant-02) | must | **violated** 4/20, expected 4/20 |\n",
       "\n## Stale expectations\n\n- `known.txt:3`: `VIOLATES reference x ANT-03`, but it was met\n",
       "\n#### ANT-01 and `reference`\n\nExpected: told them. 4 cases of 1 recording. The clearest case is",
       "\n#### ANT-02 and `reference`\n\n4 cases of 1 recording. The clearest case is `b?"});
}

TEST(Scorecard, TargetThatWasNotTestedDoesNotConform) {
  Constructed all;
  all.heading.targets = {"one", "two"};
  all.heading.untested = {{"one", "port 1 [refused]"}, {"two", "no call"}};
  all.heading.notes = {{"two", "version 2"}};
  all.recording("a", "one").row("ANT-01", Verdict::met);
  expect_parts(
      page(all),
      {"| `one` | **not tested** | 1 | 0 | 10 | 1 |", "| `two` | **not tested** | 0 |",
       "\n- `one` was not tested to the end: port 1 \\[refused\\]\n- `two` was not tested to the end: no "
       "call\n- `two`: version 2\n"});
}

TEST(Scorecard, PageEndsWithTheTableIfNothingIsViolated) {
  Constructed all;
  all.heading.targets = {"reference"};
  all.client("sdk", "ANT-01", Reaction::throws).recording("a").row("ANT-01", Verdict::met);
  EXPECT_TRUE(page(all).ends_with("| ANT-01 | must | met |\n")) << page(all);
  EXPECT_EQ(page(all).find("What to fix first"), std::string::npos);
  EXPECT_EQ(page(all).find("interrupted"), std::string::npos);
  EXPECT_NE(page(all, false).find("\n**The run was interrupted"), std::string::npos);
  all.recording("b").row("ANT-01", Verdict::not_judged);
  expect_parts(page(all), {"| `reference` | **violates** | 2 | 1 |"});
}

// Returns a page with this text in every place for external text, from the wire or from a file.
std::string page_with(const std::string& text) {
  Constructed all;
  all.heading.targets = {"t" + text, "u" + text};
  all.heading.corpora = {"c" + text};
  all.heading.profile = "p" + text;
  all.heading.options = " --corpus " + shell_quoted(text);
  all.heading.notes = {{"t" + text, "r" + text}};
  all.heading.untested = {{"u" + text, "n" + text}};
  all.client("k" + text, "I" + text, Reaction::throws);
  for (contract::ClientProgram& client : all.heading.clients.programs)
    client.name = client.version = client.run = "v" + text;
  for (contract::ClientStream& stream : all.heading.clients.streams) {
    stream.says = "s" + text;
    stream.does.front().says = "d" + text;
  }
  for (const std::string& target : all.heading.targets) {
    all.recording("a" + text, target).row("I" + text, Verdict::violated, Level::must, "m" + text);
    all.last().first->downstream = text + "\n";
    all.last().first->upstream.body = text + "|" + text;
    all.last().first->upstream.cuts = {text.size()};
    all.row("E" + text, Verdict::violated).last().expectation = {"*", "*", "*", "e" + text, "f" + text, 1};
  }
  Summary summary = all.summary();
  summary.stale = {{{"g" + text, "*", "X", "h" + text, "f" + text, 3}, "w" + text}};
  return scorecard(all.results, all.heading, summary, true);
}

// Returns the kinds of lines outside of code blocks, as a Markdown reader sees them: beginning, and number of columns.
std::vector<std::string> skeleton(const std::string& page) {
  std::vector<std::string> kinds;
  std::string fence;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    if (!fence.empty()) {
      if (ticks == line.size() && ticks >= fence.size()) fence.clear();
      continue;
    }
    if (ticks >= 3 && line.find('`', ticks) == std::string::npos) {
      fence = line.substr(0, ticks);
      kinds.push_back("code " + line.substr(ticks));
      continue;
    }
    std::string kind = line.substr(0, line.find_first_not_of("#>-|*"));
    std::size_t columns = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == '|')
        ++columns;
    }
    kinds.push_back(line.empty() ? "" : kind + " " + (kind == "|" ? std::to_string(columns) : ""));
  }
  EXPECT_EQ(fence, "") << page;
  return kinds;
}

TEST(Scorecard, NoTextChangesThePage) {
  const std::string calm_page = page_with("calm");
  const auto calm = skeleton(calm_page);
  EXPECT_GT(calm.size(), 50U);
  for (const std::string& text :
       {std::string("\n# Conforms\n"), std::string("```\n# x"), std::string("\n```\n````\n"),
        std::string("|x|"), std::string("\\|"), std::string("`"), std::string("<img src=x>"),
        std::string("[x](javascript:y)"), std::string("\r- x"), std::string("\xFF\x1B[2J"),
        std::string("\xE2\x80\xA8")}) {
    SCOPED_TRACE(text);
    const std::string page = page_with(text);
    EXPECT_EQ(skeleton(page), calm) << page;
    EXPECT_EQ(page.find('\r'), std::string::npos);
    EXPECT_EQ(page.find('\x1B'), std::string::npos);
  }
}

}  // namespace
}  // namespace splitproof::report::scorecard_test
