#include <gtest/gtest.h>

#include <cstdio>

#include "constructed.hpp"
#include "harness/observe/trace.hpp"
#include "harness/report/console.hpp"
#include "harness/report/picture.hpp"
#include "harness/report/side_by_side.hpp"
#include "harness/split/split.hpp"
#include "harness/visible.hpp"

namespace splitproof::report::report_test {
namespace {

using contract::Level;
using contract::Verdict;

TEST(Summary, ConformsOnlyWhenSomethingWasJudgedAndNothingFound) {
  const auto conforms = [](const Constructed& all) { return all.summary().conforms(); };
  Constructed all;
  EXPECT_FALSE(conforms(all)) << "nothing was run";
  all.recording("a")
      .row("META-03", Verdict::met)
      .row("ANT-01", Verdict::not_exercised)
      .row("ANT-02", Verdict::not_judged);
  EXPECT_FALSE(conforms(all)) << "nothing was judged";
  all.row("ANT-03", Verdict::met);
  EXPECT_TRUE(conforms(all));
  all.row("END-07", Verdict::violated, Level::should);
  EXPECT_TRUE(conforms(all));
  all.heading.strict = true;
  EXPECT_FALSE(conforms(all)) << "advice decides";
  all.heading.strict = false;
  all.heading.unreadable = 1;
  EXPECT_FALSE(conforms(all)) << "a recording could not be read";
  all.heading.unreadable = 0;
  all.recording("b").row("META-04", Verdict::met);
  EXPECT_FALSE(conforms(all)) << "one recording was not judged";
}

TEST(Summary, DamagedAnswersOfAListMayBeOpen) {
  Constructed all;
  all.recording("a").row("ANT-01", Verdict::not_judged);
  all.results.front().faults = all.results.front().cases;
  EXPECT_FALSE(all.summary().conforms()) << "nothing was judged";
  all.heading.quick = true;
  EXPECT_FALSE(all.summary().conforms()) << "nothing was judged";
  all.recording("b").row("ANT-01", Verdict::met);
  EXPECT_TRUE(all.summary().conforms());
  all.results.front().faults = 0;
  EXPECT_FALSE(all.summary().conforms()) << "an answer without damage was not judged";
}

TEST(Summary, CountsEachObligationAndRecordingOnce) {
  Constructed all;
  all.recording("a", "one")
      .row("A-1", Verdict::met)
      .row("A-2", Verdict::not_exercised)
      .row("A-3", Verdict::not_judged);
  all.recording("b", "one")
      .row("A-1", Verdict::violated)
      .row("A-2", Verdict::not_exercised)
      .row("A-3", Verdict::not_exercised);
  all.recording("a", "two")
      .row("A-1", Verdict::not_judged)
      .row("A-2", Verdict::not_exercised)
      .row("A-3", Verdict::not_exercised);
  all.recording("b", "two").row("A-1", Verdict::violated).row("A-4", Verdict::violated, Level::info);
  const Summary summary = all.summary();
  EXPECT_EQ(summary.recordings, 2U);
  EXPECT_EQ(summary.cases, 40U);
  EXPECT_EQ(summary.unjudged, std::set<std::string>{"a"});
  EXPECT_EQ(verdict_line(summary),
            "splitproof: VIOLATES  2 recordings, 40 cases, 2 obligations judged, 1 not exercised, 1 not "
            "judged, 2 findings, "
            "1 advisory, 1 recording without a judged rule");
}

TEST(Summary, VerdictLineOfOneThatConforms) {
  Constructed all;
  all.recording("a").row("A-1", Verdict::met).row("A-2", Verdict::not_exercised);
  all.results.front().cases = 1;
  EXPECT_EQ(verdict_line(all.summary()),
            "splitproof: CONFORMS  1 recording, 1 case, 1 obligation judged, 1 not exercised, 0 findings");
  all.heading.unreadable = 3;
  EXPECT_EQ(verdict_line(all.summary()),
            "splitproof: VIOLATES  1 recording, 1 case, 1 obligation judged, 1 not exercised, 0 findings, 3 "
            "recordings unreadable");
}

TEST(Summary, ExpectedViolationsDecideNothingAndStaleExpectationsDo) {
  Constructed all;
  all.recording("a").row("A-1", Verdict::violated).last().expectation.emplace();
  all.row("A-2", Verdict::violated, Level::should).last().expectation.emplace();
  Summary summary = all.summary();
  EXPECT_TRUE(summary.conforms());
  EXPECT_EQ(
      verdict_line(summary),
      "splitproof: CONFORMS  1 recording, 10 cases, 2 obligations judged, 0 not exercised, 0 findings (2 "
      "expected)");
  summary.stale = {{}, {}};
  EXPECT_FALSE(summary.conforms());
  EXPECT_EQ(
      verdict_line(summary),
      "splitproof: VIOLATES  1 recording, 10 cases, 2 obligations judged, 0 not exercised, 0 findings (2 "
      "expected), 2 stale expectations");
  all.row("A-3", Verdict::violated);
  EXPECT_FALSE(all.summary().conforms());
}

std::string said_by_shell(const std::string& command) {
  std::string said;
  FILE* shell = popen(command.c_str(), "r");  // sh -c
  if (shell == nullptr) return "no shell";
  for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
  return pclose(shell) == 0 ? said : "failed: " + command;
}

TEST(ShellQuoted, IsOneWordForTheShell) {
  std::string every_byte;
  for (int byte = 1; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  for (const std::string& word :
       {std::string(), std::string("plain"), std::string("it's"), std::string("''"),
        std::string("$(echo no)`echo no`$HOME"), std::string("a b\tc\n"), std::string("\\'\\"),
        std::string("*?[a-z]"), std::string("~"), std::string("#x"), std::string("a;b&c|d>e"),
        std::string("!x"), std::string("{a,b}"), std::string("A=b"), std::string("\xE2\x9C\x93\xFF"),
        every_byte}) {
    SCOPED_TRACE(word);
    EXPECT_EQ(said_by_shell("printf '%s|' " + shell_quoted(word)), word + "|");
  }
  EXPECT_EQ(shell_quoted("openai.chat/text-plain"), "openai.chat/text-plain");
  EXPECT_EQ(shell_quoted("mutant:x"), "mutant:x");
}

TEST(ReproduceLine, GivesTheShellFiveWordsAndTheOptions) {
  Heading heading;
  heading.options = " --profile strict";
  const std::string line = reproduce_line("a'b c?client=x&cuts=1", "it's; a target", heading);
  EXPECT_EQ(said_by_shell("printf '%s|' " + line),
            "splitproof|replay|a'b c?client=x&cuts=1|--target|it's; a target|--profile|strict|");
}

TEST(ReproduceLine, IsTheRunIfNoSingleCaseShowsTheViolation) {
  Heading heading;
  heading.options = " --profile strict";
  heading.trials = " --splits 0";
  heading.files = {{"bad", "./bad.yaml"}};
  results::Reproducer first;
  first.case_id = "a?client=x&cuts=1";
  EXPECT_EQ(reproduce_line(first, "bad", heading),
            "splitproof replay 'a?client=x&cuts=1' --target ./bad.yaml --profile strict");
  first.alone = false;
  EXPECT_EQ(reproduce_line(first, "bad", heading),
            "splitproof run --target ./bad.yaml --profile strict --splits 0");
}

TEST(VisibleLines, OnlyLineFeedsStayUnescaped) {
  EXPECT_EQ(visible_lines("a\x1B[2J\n\n b\rc\n"), "a\\x1b[2J\n\n b\\rc\n");
  EXPECT_EQ(visible_lines("\nno end"), "\nno end");
  EXPECT_EQ(visible_lines(""), "");
}

TEST(Visible, OnlyPrintableTextStaysUnchanged) {
  EXPECT_EQ(visible("a b\xE2\x9C\x93"), "a b\xE2\x9C\x93");
  EXPECT_EQ(visible(std::string_view("\n\r\t\0\x1B\x7F", 6)), "\\n\\r\\t\\x00\\x1b\\x7f");
  EXPECT_EQ(visible("\xC2\x9B\xC2\xA0"), "\\xc2\\x9b\xC2\xA0") << "a C1 control, then a no-break space";
  EXPECT_EQ(visible("\xE2\x9C"), "\\xe2\\x9c");
  EXPECT_EQ(visible("\xE2\x9CZ\xFF"), "\\xe2\\x9cZ\\xff");
  EXPECT_EQ(visible("\xEF\xBF\xBF"), "\\xef\\xbf\\xbf");
}

TEST(CutPicture, MarksTheCut) {
  EXPECT_EQ(cut_picture("abcdef", 3), "abc|def\n   ^ cut at byte 3\n");
  EXPECT_EQ(cut_picture("abcdef", 1, 2), "a|bc...\n ^ cut at byte 1\n");
  EXPECT_EQ(cut_picture("abcdef", 5, 2), "...de|f\n     ^ cut at byte 5\n");
  EXPECT_EQ(cut_picture("abcdef", 0), "|abcdef\n^ cut at byte 0\n");
  EXPECT_EQ(cut_picture("abcdef", 6), "abcdef|\n      ^ cut at byte 6\n");
  EXPECT_EQ(cut_picture("a\r\nb", 2), "a\\r|\\nb\n   ^ cut at byte 2\n");
}

TEST(CutPicture, ShowsHalvesOnlyOfTheCharacterThatIsCut) {
  EXPECT_EQ(cut_picture("a\xE2\x9C\x93z", 2), "a\\xe2|\\x9c\\x93z\n     ^ cut at byte 2\n");
  EXPECT_EQ(cut_picture("\xE2\x9C\x93z", 3), "\xE2\x9C\x93|z\n ^ cut at byte 3\n");
  EXPECT_EQ(cut_picture("\xE2\x9C\x93"
                        "ab\xE2\x9C\x93",
                        4, 3),
            "...a|b...\n    ^ cut at byte 4\n");
}

// For any body, the picture has two lines and the mark is under the bar.
TEST(CutPicture, MarkIsUnderTheBar) {
  const std::string body = "data: \xE2\x9C\x93\r\n\xF0\x9F\x8C\x8A\xFFx\xC3\xA9\n\n";
  for (std::size_t cut = 0; cut <= body.size(); ++cut) {
    for (std::size_t width = 1; width < 8; ++width) {
      const std::string picture = cut_picture(body, cut, width);
      const std::size_t bar = picture.find('|');
      const std::size_t line = picture.find('\n');
      std::size_t columns = 0;
      for (std::size_t i = 0; i < bar; ++i)
        columns += (static_cast<unsigned char>(picture[i]) & 0xC0) != 0x80 ? 1 : 0;
      EXPECT_EQ(picture.find('^') - line - 1, columns) << picture;
    }
  }
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

TEST(SideBySide, EventsAreNextToTheChunkThatCompletedThem) {
  recording::Recording recording;
  recording.protocol = "openai.chat";
  recording.body = "one\ntwothree";
  testee::Observation seen;
  seen.body = "data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: {";
  seen.after_chunk = {0, 20, 30};
  const observe::Trace trace = observe::read_trace(seen.body, observe::DataKind::json);
  const auto shown = lines(side_by_side("openai.chat", {recording.body, {4, 7}, recording.end}, seen, trace));
  const auto row = [](const std::string& left, const std::string& right) {
    return left + std::string(60 - left.size(), ' ') + " | " + right;
  };
  EXPECT_EQ(shown, (std::vector<std::string>{
                       row("upstream openai.chat", "downstream"),
                       row("-- bytes 0-4", ""),
                       row("one\\n", ""),
                       row("-- bytes 4-7", "  0 {\"a\":1}"),
                       row("two", ""),
                       row("-- bytes 7-12", "  1 {\"b\":2}"),
                       row("three", ""),
                       row("-- end: complete", "  2 [unterminated-event] {"),
                   }));
}

TEST(SideBySide, LongChunksFoldAndLongEventsEnd) {
  recording::Recording recording;
  recording.body = std::string(59, 'a') + "\xE2\x9C\x93" + std::string(60, 'b');
  testee::Observation seen;
  seen.body = "data: \"" + std::string(200, 'x') + "\"\n\n";
  seen.after_chunk = {seen.body.size()};
  const observe::Trace trace = observe::read_trace(seen.body, observe::DataKind::json);
  const auto shown = lines(side_by_side("openai.chat", {recording.body, {}, recording.end}, seen, trace));
  ASSERT_EQ(shown.size(), 5U);
  EXPECT_EQ(shown[1].substr(61), "|   0 \"" + std::string(95, 'x') + "...");
  EXPECT_EQ(shown[2], std::string(59, 'a') + "\xE2\x9C\x93 | ");
  EXPECT_EQ(shown[3], std::string(60, 'b') + " | ");
}

TEST(SideBySide, RequestsStandAsTheyWereWrittenALineForEachMember) {
  testee::Observation seen;
  seen.request = R"({"n":1.0, "a\"[":[ ],"t":[{},"x"]})";
  testee::UpstreamCall& call = seen.calls.emplace_back();
  call.method = "POST";
  call.target = "/v1";
  call.body = "{\"broken\":[\"\n" + std::string(700, 'y');
  const auto shown = lines(requests_side_by_side(seen));
  const auto row = [](const std::string& left, const std::string& right) {
    return left + std::string(60 - left.size(), ' ') + " | " + right;
  };
  EXPECT_EQ(shown, (std::vector<std::string>{
                       row("request of the client", "request to the upstream: POST /v1"),
                       row("{", "{"),
                       row("  \"n\": 1.0,", "  \"broken\": ["),
                       row("  \"a\\\"[\": [],", "    \"\\n" + std::string(89, 'y')),
                       row("  \"t\": [", std::string(96, 'y')),
                       row("    {},", std::string(96, 'y')),
                       row("    \"x\"", std::string(96, 'y')),
                       row("  ]", std::string(96, 'y')),
                       row("}", std::string(96, 'y')),
                       row("", "..."),
                   }));
  seen.calls.clear();
  EXPECT_EQ(lines(requests_side_by_side(seen))[0],
            row("request of the client", "no request to the upstream"));
}

// The rest of a finding is in reading order.
TEST(Console, FindingsOfAnObligationHaveTheSmallestReproducer) {
  Constructed all;
  all.heading.targets = {"reference"};
  all.heading.corpora = {"here"};
  all.heading.profile = "default";
  all.recording("b").row("ANT-01", Verdict::violated, Level::must, "twice");
  all.last().first->upstream.cuts = {3, 4, 5, 6};
  for (const char* id : {"c", "d", "e", "f", "g", "h"})
    all.recording(id).row("ANT-01", Verdict::violated, Level::must, "later");
  all.row("ANT-02", Verdict::not_exercised).row("ANT-03", Verdict::not_judged).row("ANT-09", Verdict::met);
  all.recording("i")
      .row("ANT-02", Verdict::not_exercised)
      .row("ANT-03", Verdict::not_exercised)
      .row("ANT-09", Verdict::not_judged);
  const std::string report =
      console_report(all.results, all.heading, all.summary(), {.all = true, .verbose = true});
  for (
      const char* part :
      {"targets        reference\n", "recordings     8 from here\n",
       "cases          80: 80 split, 0 recut, 0 with a fault, 0 of a further turn; 16 different outputs judged\n",
       "\nrules          2 judged, 1 not exercised, 1 not judged\n",
       "\nnot exercised  ANT-02\nnot judged     ANT-03 (a reason)\nno rule was judged in i on reference: a reason\n",
       "\nA rule.  [ANT-01, must]\n  in        28 cases of 7 recordings on reference\n  found     c: later\n",
       "\n  split     data: {\"text\":\"\\xe2\\x9c|\\x93\"}\\n\\n\n",
       "\n  reproduce splitproof replay 'c?client=anthropic.messages&cuts=17' --target reference\n  also in   b, "
       "d, e, f, g and 1 more\n"}) {
    EXPECT_NE(report.find(part), std::string::npos) << part << "\nis not in\n" << report;
  }
  EXPECT_EQ(lines(report).back(), verdict_line(all.summary()));
  EXPECT_EQ(report.find('\033'), std::string::npos);
  EXPECT_NE(console_report(all.results, all.heading, all.summary(), {.colour = true}).find("\033[31m"),
            std::string::npos);
  const std::string brief = console_report(all.results, all.heading, all.summary(), {.all = true});
  EXPECT_EQ(brief.find("\nnot exercised "), std::string::npos) << brief;
}

TEST(ClientsLine, WorstReactionComesFirst) {
  using contract::Reaction;
  Constructed all;
  all.client("d", "A-1", Reaction::accepts)
      .client("b", "A-1", Reaction::throws)
      .client("c", "A-1", Reaction::throws);
  all.client("a", "A-1", Reaction::wrong)
      .client("e", "A-1", Reaction::throws)
      .client("e", "A-1", Reaction::wrong);
  all.client("f", "A-2", Reaction::wrong);
  EXPECT_EQ(clients_line(all.heading.clients, "A-1"),
            "silently wrong: a; silently wrong or throws: e; throws: b, c; accepts: d");
  EXPECT_EQ(clients_line(all.heading.clients, "A-3"), "");
}

TEST(Console, ReactionsOfClientsAndNotesOnTargetsAreShown) {
  Constructed all;
  all.heading.targets = {"one", "two"};
  all.heading.notes = {{"two", "boundaries unproven\x1B"}};
  all.client("sdk", "ANT-01", contract::Reaction::throws);
  all.recording("a", "one").row("ANT-01", Verdict::violated).row("ANT-02", Verdict::violated);
  const std::string report = console_report(all.results, all.heading, all.summary(), {.all = true});
  for (
      const char* part :
      {"targets        one, two\nnote           two: boundaries unproven\\x1b\nrecordings ",
       "\nA rule.  [ANT-01, must]\n  affects   throws: sdk\n  in        4 cases of 1 recording on one\n  found     "
       "a: it went wrong\n",
       "\nA rule.  [ANT-02, must]\n  in        4 cases of 1 recording on one\n  found     a: it went wrong\n"}) {
    EXPECT_NE(report.find(part), std::string::npos) << part << "\nis not in\n" << report;
  }
}

TEST(Console, EachExpectedFindingHasALine) {
  const results::Expectation first{"*", "*", "ANT-01", "told them", "known.txt", 2};
  const results::Expectation second{"*", "b", "ANT-02", "", "known.txt", 10};
  Constructed all;
  all.recording("a").row("ANT-02", Verdict::violated).last().expectation = second;
  all.row("ANT-01", Verdict::violated).last().expectation = first;
  all.recording("b").row("ANT-01", Verdict::violated).last().expectation = first;
  all.recording("c").row("ANT-01", Verdict::violated);
  all.recording("d", "other").row("ANT-01", Verdict::violated).last().expectation = first;
  Summary summary = all.summary();
  summary.stale = {{{"reference", "x", "ANT-03", "hm\x1B", "known.txt", 3}, "it was met"}};
  const std::string report = console_report(all.results, all.heading, summary, {.all = true});
  for (const char* part :
       {"expected       known.txt:2: ANT-01 on other, d: told them\n"
        "expected       known.txt:2: ANT-01 on reference, 2 recordings: told them\n"
        "expected       known.txt:10: ANT-02 on reference, a\n"
        "stale          known.txt:3: it was met; VIOLATES reference x ANT-03 # hm\\x1b\n",
        "\nA rule.  [ANT-01, must]\n  in        4 cases of 1 recording on reference\n  found     c: it went "
        "wrong\n"}) {
    EXPECT_NE(report.find(part), std::string::npos) << part << "\nis not in\n" << report;
  }
  EXPECT_EQ(report.find("[ANT-02, must]"), std::string::npos) << report;
}

TEST(Console, SkippedCasesAndReasonsAreShown) {
  Constructed all;
  all.recording("a", "slow").row("RUN-02", Verdict::violated);
  all.results.back().unrun = 3;
  for (const char* id : {"b", "c", "d", "e", "f", "g", "h"}) {
    all.recording(id, "slow");
    all.results.back().cases = 0;
    all.results.back().unrun = 2;
  }
  all.recording("z", "deaf").row("ANT-01", Verdict::not_exercised).row("ANT-02", Verdict::not_judged);
  all.recording("y", "deaf").row("ANT-01", Verdict::met);
  all.results.back().called = 4;
  const std::string report = console_report(all.results, all.heading, all.summary(), {.all = true});
  for (const char* line :
       {"\nnot run, as slow hangs: 17 cases of a, b, c, d, e and 3 more\n",
        "\nno rule was judged in b, c, d, e, f and 2 more on slow: the target hangs, so splitproof "
        "did not run this recording\n",
        "\nno rule was judged in z on deaf: a reason\n",
        "\nno rule was judged in y on deaf: the target called its upstream in 4 of 10 cases "
        "only\n",
        ", 9 recordings without a judged rule, 17 cases not run\n"}) {
    EXPECT_NE(report.find(line), std::string::npos) << line << "is not in\n" << report;
  }
  const std::string broken_off =
      console_report(all.results, all.heading, all.summary(), {.all = true, .complete = false});
  EXPECT_TRUE(broken_off.starts_with(
      "INTERRUPTED: 1 bug (1 finding), 9 recordings without a judged rule in 30 cases; slow hangs (bug 1)\n"))
      << broken_off;
  EXPECT_EQ(broken_off.substr(broken_off.find('\n')) + verdict_line(all.summary()) + "\n",
            report.substr(report.find('\n')));
}

TEST(Console, TitleComesBeforeTheRule) {
  Constructed all;
  all.heading.targets = {"one"};
  all.recording("a", "one").row("ANT-02", Verdict::violated);
  all.heading.rules["ANT-02"].title = "Block started twice";
  EXPECT_NE(console_report(all.results, all.heading, all.summary())
                .find("\n1. Block started twice  [ANT-02, must]\n  affects   not known: "),
            std::string::npos);
}

TEST(Console, FindingsAreShownWithTheirCauses) {
  Constructed all;
  all.heading.targets = {"one"};
  all.client("sdk", "ANT-02", contract::Reaction::wrong);
  all.recording("a", "one").row("ANT-01", Verdict::violated).row("ANT-02", Verdict::violated);
  all.recording("b", "one").row("ANT-01", Verdict::violated).row("ANT-03", Verdict::violated, Level::should);
  const std::string report = console_report(all.results, all.heading, all.summary());
  for (const char* part :
       {"\nadvice         ANT-03 (should) on one: 1 recording, as in b?client=anthropic.messages&cuts=17\n",
        "\n1. A rule.  [ANT-02, must]\n  affects   sdk silently wrong: It does.\n  in        1 recording, 4 "
        "cases, 1 finding on one\n",
        "\n  in        2 recordings, 8 cases, 2 findings on one\n",
        "\n  reproduce splitproof replay 'a?client=anthropic.messages&cuts=17' --target one\n",
        "\n3 findings from 2 bugs; --all shows the findings rule by rule\nsplitproof: VIOLATES  "}) {
    EXPECT_NE(report.find(part), std::string::npos) << part << "\nis not in\n" << report;
  }
}

TEST(Console, PrefersACaseThatShowsItAlone) {
  Constructed all;
  all.recording("a").row("RUN-01", Verdict::violated, Level::must, "now and then");
  all.last().first->alone = false;
  all.last().first->upstream.cuts.clear();
  all.recording("b").row("RUN-01", Verdict::violated, Level::must, "each time");
  const std::string report = console_report(all.results, all.heading, all.summary(), {.all = true});
  EXPECT_NE(report.find("\n  found     b: each time\n"), std::string::npos) << report;
}

TEST(Summary, PassThroughOfNoStreamHasNothingToBeJudged) {
  Constructed all;
  all.recording("a").row("ANT-01", Verdict::not_judged).row("META-03", Verdict::met);
  EXPECT_EQ(why_nothing_judged(all.results.back(), all.heading.rules), "a reason");
  all.results.back().passes_no_stream = true;
  EXPECT_TRUE(all.summary().conforms());
  all.last().verdict = Verdict::not_judged;
  EXPECT_EQ(why_nothing_judged(all.results.back(), all.heading.rules), "a reason")
      << "there was no answer at all";
}

TEST(Console, HostileBytesReachTheTerminalAsText) {
  Constructed all;
  all.recording("a").row("ANT-01", Verdict::violated, Level::must, "quotes \x1B[2J and \n and \xC2\x9B");
  all.last().first->downstream = "\x1B]0;x\x07";
  const std::string report = console_report(all.results, all.heading, all.summary(), {.all = true});
  for (const char* control : {"\x1B", "\x07", "\xC2\x9B"}) EXPECT_EQ(report.find(control), std::string::npos);
  EXPECT_NE(report.find("quotes \\x1b[2J and \\n and \\xc2\\x9b\n"), std::string::npos) << report;
}

}  // namespace
}  // namespace splitproof::report::report_test
