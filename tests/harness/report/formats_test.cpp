#include "harness/report/formats.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "constructed.hpp"
#include "harness/report/console.hpp"

namespace splitproof::report::formats_test {
namespace {

TEST(Formats, EveryFormatHasAllFindingsAndAnInterruption) {
  Constructed all;
  all.recording("first/one", "that-proxy")
      .row("ANT-08", contract::Verdict::violated)
      .behaves("first/one?client=anthropic.messages&gen=whole");
  all.recording("second/one", "this-proxy")
      .row("END-06", contract::Verdict::violated)
      .behaves("second/one?client=anthropic.messages&gen=whole");
  all.heading.targets = {"that-proxy", "this-proxy"};
  std::set<std::string_view> names;
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_TRUE(names.insert(format.name).second) << "the name is taken";
    const std::string whole = format.write(all.results, all.heading, all.summary(), true);
    // A badge has room for the verdict.
    const bool is_badge = format.name == "badge";
    for (const char* word : {"first/one", "second/one", "that-proxy", "this-proxy", "ANT-08", "END-06"})
      EXPECT_NE(whole.find(word) == std::string::npos, !is_badge) << word << " in\n" << whole;
    EXPECT_NE(format.write(all.results, all.heading, all.summary(), false), whole);
  }
}

TEST(Formats, PagesAndLinesShowTheSmallestCaseAndWhatIsPerhapsACause) {
  Constructed all;
  all.recording("first/one").row("ANT-08", contract::Verdict::violated);
  all.behaves("first/one?client=anthropic.messages&gen=whole");
  Summary summary = all.summary();
  results::Rule other;
  other.id = "STOP-77";
  for (const bool known : {false, true}) {
    if (known) {
      summary.causes[0].smallest = cause::Smallest{2, 9, {"data: the least\n\n", {5}}};
      summary.causes[0].perhaps = {&other};
    }
    std::map<std::string_view, std::string> shown{
        {"console", console_report(all.results, all.heading, summary, {false, false})}};
    for (const Format& format : formats())
      if (format.name == "html" || format.name == "md" || format.name == "jsonl")
        shown[format.name] = format.write(all.results, all.heading, summary, true);
    EXPECT_EQ(shown.size(), 4U);
    for (const auto& [name, text] : shown) {
      SCOPED_TRACE(name);
      const bool is_json = name == "jsonl";
      EXPECT_EQ(text.find(is_json ? R"("events":2,"of":9,"exhausted":false,"cuts":[5])"
                                  : "2 of 9 events, 1 cut") != std::string::npos,
                known);
      for (const char* word : {"the least", "STOP-77", "splitproof shrink "})
        EXPECT_EQ(text.find(word) != std::string::npos, known) << word << " in\n" << text;
    }
  }
}

TEST(Formats, PagesSayThatClientsAreReadyForATargetWithoutACause) {
  const auto told = [](const Constructed& all, const Summary& summary) {
    std::map<std::string_view, std::string> texts{
        {"console", console_report(all.results, all.heading, summary, {false, false})}};
    for (const Format& format : formats())
      if (format.name == "html" || format.name == "md" || format.name == "github-summary")
        texts[format.name] = format.write(all.results, all.heading, summary, true);
    EXPECT_EQ(texts.size(), 4U);
    for (auto& [name, text] : texts) std::erase(text, '\\');  // Markdown's escapes
    return texts;
  };
  const auto expect = [](const std::map<std::string_view, std::string>& texts,
                         const std::vector<std::string>& words, bool is_there = true) {
    for (const auto& [name, text] : texts)
      for (const std::string& word : words)
        EXPECT_EQ(text.find(word) != std::string::npos, is_there) << word << " in " << name << "\n" << text;
  };
  const auto sound = [](const std::string& target) {
    Constructed all;
    all.client("careful-sdk", "ANT-08", contract::Reaction::throws);
    all.heading.clients.programs.front().tried = "2026-11-22";
    all.heading.targets = {target};
    for (const char* id : {"first/one", "first/two"}) {
      all.recording(id, target).row("ANT-08", contract::Verdict::met);
      all.results.back().behaviours.emplace_back().case_id =
          std::string(id) + "?client=anthropic.messages&gen=whole";
    }
    return all;
  };
  Constructed all = sound("that-proxy");
  const std::vector<std::string> client{"that-proxy", "careful-sdk", "1.0", "2026-11-22"};
  expect(told(all, all.summary()), client);
  expect(told(all, all.summary()), {"ready: no cause in 2 recordings"});
  // After unfinished trials or accepted findings the report must not promise "ready".
  Summary in_part = all.summary();
  in_part.cut_short = {"10m", 100, 0};
  expect(told(all, in_part), {"ready as far as known: no cause in 2 recordings, in some of their cases"});
  all.row("ANT-09", contract::Verdict::violated).last().expectation = {"*",     "*",         "*",
                                                                       "known", "known.txt", 1};
  expect(told(all, all.summary()),
         {"ready as far as known: no cause in 2 recordings, in addition to 1 expected finding"});
  // Untested or unjudged targets get no statement.
  Constructed untested = sound("that-proxy");
  untested.heading.untested["that-proxy"] = "it answers 401";
  expect(told(untested, untested.summary()), {"careful-sdk"}, false);
  Constructed unjudged = sound("that-proxy");
  for (results::RecordingResult& result : unjudged.results)
    result.rows.front().verdict = contract::Verdict::not_judged;
  expect(told(unjudged, unjudged.summary()), {"careful-sdk"}, false);
}

TEST(Formats, PagesAndLinesNameTheKnobThatWouldAcceptACause) {
  Constructed all;
  all.recording("first/one").row("ANT-08", contract::Verdict::violated);
  all.behaves("first/one?client=anthropic.messages&gen=whole");
  Summary summary = all.summary();
  results::Rule rule = *summary.causes[0].rule;
  rule.knobs = {"overlap", "signature"};
  summary.causes[0].rule = &rule;
  const auto shown = [&] {
    std::map<std::string_view, std::string> texts{
        {"console", console_report(all.results, all.heading, summary, {false, false})}};
    for (const Format& format : formats())
      if (format.name == "html" || format.name == "md")
        texts[format.name] = format.write(all.results, all.heading, summary, true);
    return texts;
  };
  EXPECT_EQ(shown().size(), 3U);
  for (const auto& [name, text] : shown()) {
    EXPECT_NE(text.find("epends on the knobs: overlap, signature"), std::string::npos) << name << text;
    EXPECT_EQ(text.find("accepts this answer"), std::string::npos) << name << text;
  }
  summary.causes[0].accepted_by = {};
  summary.causes[0].accepted_by.emplace();
  for (const auto& [name, text] : shown())
    EXPECT_NE(text.find("overlap, signature; no other value accepts this answer"), std::string::npos)
        << name << text;
  summary.causes[0].accepted_by = {"overlap: indexed", "signature: optional"};
  for (const auto& [name, text] : shown()) {
    std::string words = text;
    for (std::size_t at = 0; (at = words.find("\n    ", at)) != std::string::npos;) words.replace(at, 5, " ");
    EXPECT_NE(
        words.find(
            "signature; a profile with overlap: indexed, or with signature: optional accepts this answer"),
        std::string::npos)
        << name << text;
  }
  for (const Format& format : formats()) {
    if (format.name != "jsonl") continue;
    const std::string lines = format.write(all.results, all.heading, summary, true);
    EXPECT_NE(
        lines.find(
            R"("knobs":["overlap","signature"],"accepted_by":["overlap: indexed","signature: optional"])"),
        std::string::npos)
        << lines;
  }
}

TEST(Formats, ConsoleShowsThirtyCausesAndCountsTheRest) {
  Constructed all;
  for (int i = 0; i < 32; ++i) {
    const std::string id = "r/" + std::to_string(i);
    all.recording(id, "proxy").row("RULE-" + std::to_string(i), contract::Verdict::violated);
    all.behaves(id + "?client=anthropic.messages&gen=whole");
  }
  all.recording("r/0", "other").row("RULE-0", contract::Verdict::violated);
  all.behaves("r/0?client=anthropic.messages&gen=whole");
  const std::string text = console_report(all.results, all.heading, all.summary(), {false, false});
  EXPECT_NE(text.find("\n30. "), std::string::npos);
  EXPECT_EQ(text.find("\n31. "), std::string::npos);
  EXPECT_NE(text.find("\nand 2 causes more on proxy; "), std::string::npos) << text;
  EXPECT_NE(text.find("[RULE-0, must]\n  1 recording, 4 cases, 1 finding on other"), std::string::npos)
      << "each target has its own";
}

}  // namespace
}  // namespace splitproof::report::formats_test
