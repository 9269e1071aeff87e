#include "harness/report/formats.hpp"

#include <gtest/gtest.h>

#include <map>
#include <regex>
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
      summary.causes[0].set_tries({2, 5});
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
      EXPECT_EQ(text.find(is_json ? R"("tries":{"violated":2,"of":5})" : "in 2 of 5 tries of this case") !=
                    std::string::npos,
                known)
          << text;
      for (const char* word : {"the least", "STOP-77", "splitproof shrink "})
        EXPECT_EQ(text.find(word) != std::string::npos, known) << word << " in\n" << text;
    }
  }
}

// A client works only if the target was tested and each bug was tried with the client.
TEST(Formats, PagesShowThreeStatesOfClients) {
  const auto told = [](const Constructed& all, const Summary& summary) {
    std::map<std::string_view, std::string> texts{
        {"console", console_report(all.results, all.heading, summary, {false, false})}};
    for (const Format& format : formats())
      if (format.name == "md" || format.name == "github-summary")
        texts[format.name] = format.write(all.results, all.heading, summary, true);
    EXPECT_EQ(texts.size(), 3U);
    for (auto& [name, text] : texts) std::erase(text, '\\');  // Markdown's escapes
    return texts;
  };
  const auto expect = [](const std::map<std::string_view, std::string>& texts,
                         const std::vector<std::string>& words) {
    for (const auto& [name, text] : texts)
      for (const std::string& word : words)
        EXPECT_NE(text.find(word), std::string::npos) << word << " in " << name << "\n" << text;
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
  expect(told(all, all.summary()), {"careful-sdk", "1.0", "2026-11-22", "works", "in 2 recordings"});
  Summary in_part = all.summary();
  in_part.cut_short = {"10m", 100, 0};
  expect(told(all, in_part), {"works", "in 2 recordings, in some of their cases"});
  // A bug that breaks it, and one that was not tried with it.
  all.recording("first/three", "that-proxy").row("ANT-08", contract::Verdict::violated);
  all.behaves("first/three?client=anthropic.messages&gen=whole");
  all.recording("first/four", "that-proxy").row("ANT-77", contract::Verdict::violated);
  all.behaves("first/four?client=anthropic.messages&gen=whole");
  expect(told(all, all.summary()), {"breaks", "breaks on 1 of 2 bugs; 1 not tried with it"});
  Constructed untried = sound("that-proxy");
  untried.recording("first/four", "that-proxy").row("ANT-77", contract::Verdict::violated);
  untried.behaves("first/four?client=anthropic.messages&gen=whole");
  expect(told(untried, untried.summary()), {"not tested", "1 of 1 bug not tried with it"});
  // Every client breaks if the proxy crashes.
  Constructed crashing = sound("that-proxy");
  crashing.recording("first/four", "that-proxy").row("RUN-01", contract::Verdict::violated);
  crashing.behaves("first/four?client=anthropic.messages&gen=whole");
  expect(told(crashing, crashing.summary()), {"breaks on 1 of 1 bug"});
  Constructed untested = sound("that-proxy");
  untested.heading.untested["that-proxy"] = "it answers 401";
  expect(told(untested, untested.summary()), {"not tested", "the target was not tested"});
  Constructed unjudged = sound("that-proxy");
  for (results::RecordingResult& result : unjudged.results)
    result.rows.front().verdict = contract::Verdict::not_judged;
  expect(told(unjudged, unjudged.summary()), {"not tested", "the target was not tested"});
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
    const char* head = name == "console" ? "  knobs     " : "epends on the knobs: ";
    EXPECT_NE(text.find(head + std::string("overlap, signature")), std::string::npos) << name << text;
    EXPECT_EQ(text.find("accepts this answer"), std::string::npos) << name << text;
  }
  summary.causes[0].accepted_by = {};
  summary.causes[0].accepted_by.emplace();
  for (const auto& [name, text] : shown())
    EXPECT_NE(text.find("overlap, signature; no other value accepts this answer"), std::string::npos)
        << name << text;
  summary.causes[0].accepted_by = {"overlap: indexed", "signature: optional"};
  for (const auto& [name, text] : shown()) {
    const std::string words = std::regex_replace(text, std::regex("\n +"), " ");
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

TEST(Formats, ConsoleShowsTenCausesWholeAndTheOthersBriefly) {
  Constructed all;
  for (int i = 0; i < 12; ++i) {
    const std::string id = "r/" + std::to_string(i);
    all.recording(id, "proxy").row("RULE-" + std::to_string(i), contract::Verdict::violated);
    all.behaves(id + "?client=anthropic.messages&gen=whole");
  }
  all.recording("r/0", "other").row("RULE-0", contract::Verdict::violated);
  all.behaves("r/0?client=anthropic.messages&gen=whole");
  const std::string text = console_report(all.results, all.heading, all.summary(), {false, false});
  const auto count = [](const std::string& whole, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = whole.find(part); at != whole.npos; at = whole.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count(text, "finding on proxy\n"), 12U) << text;
  EXPECT_EQ(count(text, "  reproduce "), 11U) << "ten, and one of the other target";
  EXPECT_NE(text.find("\n--verbose shows the details of 2 more bugs\n"), std::string::npos) << text;
  const std::string all_of_it =
      console_report(all.results, all.heading, all.summary(), {false, false, true, true});
  EXPECT_EQ(count(all_of_it, "  reproduce "), 13U) << all_of_it;
  EXPECT_NE(
      text.find(
          "[RULE-0, must]\n  affects   not known: no client was tested with such an answer\n  in        1 recording, 4 cases, 1 "
          "finding on other"),
      std::string::npos)
      << "each target has its own";
}

}  // namespace
}  // namespace splitproof::report::formats_test
