#include "harness/report/junit.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

#include "constructed.hpp"
#include "harness/utf8.hpp"

namespace splitproof::report::junit_test {
namespace {

using contract::Level;
using contract::Verdict;

std::size_t occurrences(const std::string& text, const std::string& of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + of.size())) ++count;
  return count;
}

// Reads the XML subset of this report (elements, attributes in double quotes, text, the five entities) and returns what
// is not well-formed, or nothing.
class WellFormed {
 public:
  static std::string fault(std::string_view xml) { return WellFormed(xml).document(); }

 private:
  explicit WellFormed(std::string_view xml) : rest_(xml) {}

  std::string document() {
    if (const std::string fault = characters(); !fault.empty()) return fault;
    if (!take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")) return "no declaration";
    std::vector<std::string_view> open;
    do {
      if (take("</")) {
        if (open.empty() || !take(open.back()) || !take(">")) return "end tag that does not fit";
        open.pop_back();
      } else if (take("<")) {
        const std::string_view name = word();
        if (name.empty()) return "tag without a name";
        while (take(" ")) {
          if (word().empty() || !take("=\"") || !text('"') || !take("\"")) return "broken attribute";
        }
        if (take("/>")) continue;
        if (!take(">")) return "broken tag";
        open.push_back(name);
      } else if (!text('<')) {
        return "broken text";
      }
    } while (!open.empty() && !rest_.empty());
    return open.empty() && rest_ == "\n" ? "" : "no end";
  }

  // XML 1.0, production 2: Char.
  std::string characters() const {
    for (std::size_t at = 0; at < rest_.size();) {
      const Utf8Step step = utf8_step(rest_.substr(at));
      const std::string_view one = rest_.substr(at, step.length);
      if (step.kind != Utf8Step::Kind::well_formed) return "not UTF-8";
      if (static_cast<unsigned char>(one[0]) < 0x20 && one != "\n" && one != "\r" && one != "\t")
        return "control character";
      if (one == "\xEF\xBF\xBE" || one == "\xEF\xBF\xBF") return "no character";
      at += step.length;
    }
    return "";
  }

  bool take(std::string_view token) {
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::string_view word() {
    const std::string_view taken = rest_.substr(0, rest_.find_first_of(" =/>\"<\n"));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  // Reads text up to `end`, without `<` and `]]>`. `&` must begin an entity.
  bool text(char end) {
    while (!rest_.empty() && rest_.front() != end) {
      if (rest_.front() == '<' || rest_.substr(0, 3) == "]]>") return false;
      if (rest_.front() != '&') {
        rest_.remove_prefix(1);
      } else if (!take("&amp;") && !take("&lt;") && !take("&gt;") && !take("&quot;") && !take("&apos;")) {
        return false;
      }
    }
    return true;
  }

  std::string_view rest_;
};

std::string junit(const Constructed& all) {
  return junit_report(all.results, all.heading, all.summary(), true);
}

TEST(Junit, EveryVerdictHasItsForm) {
  Constructed all;
  all.recording("chat/a")
      .row("ANT-01", Verdict::met)
      .row("ANT-02", Verdict::violated)
      .row("ANT-03", Verdict::not_exercised);
  all.row("ANT-04", Verdict::not_judged).row("END-07", Verdict::violated, Level::should, "advised");
  const std::string advised = junit(all);
  EXPECT_EQ(WellFormed::fault(advised), "");
  EXPECT_NE(advised.find("<testsuite name=\"reference\" tests=\"4\" failures=\"1\" skipped=\"2\">"),
            std::string::npos)
      << advised;
  EXPECT_EQ(occurrences(advised, "<testcase "), 4U);
  EXPECT_EQ(occurrences(advised, "<failure "), 1U);
  EXPECT_EQ(occurrences(advised, "<skipped "), 2U);
  EXPECT_EQ(occurrences(advised, "ANT-03"), 0U);
  EXPECT_NE(advised.find("<testcase classname=\"reference\" name=\"ANT-01\"/>"), std::string::npos);
  EXPECT_NE(advised.find("<failure message=\"it went wrong\">The rule: A rule.\nFound: it went wrong\n"),
            std::string::npos)
      << advised;
  EXPECT_NE(advised.find("\nsplitproof replay 'chat/a?client=anthropic.messages&amp;cuts=17' "
                         "--target reference</failure>"),
            std::string::npos);
  EXPECT_NE(advised.find("message=\"not judged: a reason\""), std::string::npos);
  EXPECT_NE(advised.find("message=\"advice: advised\""), std::string::npos);

  all.heading.strict = true;
  const std::string strict = junit(all);
  EXPECT_EQ(occurrences(strict, "<failure "), 2U);
  EXPECT_NE(strict.find("failures=\"2\" skipped=\"1\""), std::string::npos);
}

TEST(Junit, RuleIsOneTestOverAllRecordings) {
  Constructed all;
  all.recording("chat/a").row("ANT-01", Verdict::met).row("ANT-02", Verdict::violated).last().expectation = {
      "*", "*", "*", "known", "k", 1};
  all.recording("chat/b")
      .row("ANT-01", Verdict::violated)
      .behaves("chat/b?client=anthropic.messages&gen=whole");
  all.row("ANT-02", Verdict::met);
  all.recording("chat/c")
      .row("ANT-01", Verdict::violated)
      .behaves("chat/c?client=anthropic.messages&gen=whole");
  all.row("ANT-02", Verdict::violated, Level::must, "another")
      .behaves("chat/c?client=anthropic.messages&gen=bytes");
  all.recording("chat/d")
      .row("ANT-01", Verdict::violated, Level::must, "expected here")
      .last()
      .expectation.emplace();
  const std::string report = junit(all);
  EXPECT_EQ(occurrences(report, "<testsuite name=\"reference\" tests=\"2\" failures=\"2\" skipped=\"0\">"),
            1U)
      << report;
  EXPECT_EQ(occurrences(report, "The cause: 1. A rule. (ANT-01)\n2 recordings: chat/b, chat/c\n"), 1U)
      << report;
  EXPECT_EQ(occurrences(report, "The cause: 2. A rule. (ANT-02)\n1 recording: chat/c\n"), 1U) << report;
  EXPECT_EQ(occurrences(report, "expected here"), 0U);
}

TEST(Junit, ExpectedFindingsAreSkippedAndStaleExpectationsFail) {
  Constructed all;
  all.heading.strict = true;
  all.recording("chat/a").row("ANT-01", Verdict::violated).last().expectation = {"*",         "*", "*",
                                                                                 "known <1>", "k", 1};
  all.row("ANT-02", Verdict::violated, Level::should, "since long").last().expectation.emplace();
  all.row("ANT-03", Verdict::met);
  Summary summary = all.summary();
  const std::string calm = junit_report(all.results, all.heading, summary, true);
  EXPECT_EQ(occurrences(calm, "<failure "), 0U) << calm;
  EXPECT_NE(calm.find("tests=\"3\" failures=\"0\" skipped=\"2\""), std::string::npos) << calm;
  EXPECT_EQ(occurrences(calm, "<skipped message=\"expected: known &lt;1&gt;\"/>"), 1U) << calm;
  EXPECT_EQ(occurrences(calm, "<skipped message=\"expected: since long\"/>"), 1U) << calm;

  summary.stale = {{{"a&b", "*", "X", "", "k<", 3}, "it was met"},
                   {{"c", "*", "X", "", "k<", 4}, "it was met"}};
  const std::string stale = junit_report(all.results, all.heading, summary, true);
  EXPECT_EQ(WellFormed::fault(stale), "");
  EXPECT_EQ(occurrences(stale, "<testsuite name=\"expectations\" tests=\"2\" failures=\"2\" skipped=\"0\">"),
            1U)
      << stale;
  EXPECT_EQ(occurrences(stale, "name=\"k&lt;:3\""), 1U);
  EXPECT_EQ(occurrences(stale, "<failure message=\"it was met\">VIOLATES a&amp;b * X</failure>"), 1U);
  EXPECT_EQ(occurrences(stale, "<failure "), 2U);
}

TEST(Junit, EachTargetHasItsOwnSuite) {
  Constructed all;
  all.recording("chat/a", "one").row("ANT-01", Verdict::met);
  all.recording("chat/a", "two").row("ANT-01", Verdict::violated);
  all.heading.notes = {{"two", "v1 <beta> & \x01"}};
  const std::string report = junit(all);
  EXPECT_EQ(WellFormed::fault(report), "");
  const std::string property = "<property name=\"note\" value=\"v1 &lt;beta&gt; &amp; \\x01\"/>";
  EXPECT_EQ(occurrences(report, property), 1U) << report;
  EXPECT_LT(report.find("<testsuite name=\"two\""), report.find(property));
  EXPECT_EQ(occurrences(report, "<testcase classname=\"one\" name=\"ANT-01\"/>"), 1U);
  EXPECT_EQ(occurrences(report, "<testcase classname=\"two\" name=\"ANT-01\">"), 1U);
}

TEST(Junit, TargetThatWasNotRunToTheEndIsAnError) {
  Constructed all;
  all.recording("chat/a", "one").row("ANT-01", Verdict::met);
  all.heading.untested = {{"two", "it ended with <exit code 1>\n  no \x1B[31mlicence"}};
  const std::string report = junit(all);
  EXPECT_EQ(WellFormed::fault(report), "");
  EXPECT_EQ(occurrences(report, "<error "), 1U) << report;
  EXPECT_EQ(
      occurrences(
          report,
          "<testcase classname=\"two\" name=\"available\">\n      <error message=\"not tested to the end: it "
          "ended with &lt;exit code 1&gt;\\n  no \\x1b[31mlicence\"/>"),
      1U)
      << report;
  EXPECT_EQ(occurrences(report, "<testsuite name=\"two\" tests=\"1\" failures=\"0\" errors=\"1\""), 1U)
      << report;
}

TEST(Junit, CasesThatWereNotRunAreSkipped) {
  Constructed all;
  all.recording("chat/a").row("ANT-01", Verdict::met);
  all.results.back().unrun = 7;
  all.recording("chat/b");
  all.results.back().cases = 0;
  all.results.back().unrun = 9;
  const std::string report = junit(all);
  EXPECT_EQ(WellFormed::fault(report), "");
  EXPECT_EQ(occurrences(report, "<skipped message=\"the target hangs: 7 cases not run\"/>"), 1U) << report;
  EXPECT_EQ(occurrences(report, "no rule was judged: the target hangs"), 1U) << report;
  EXPECT_EQ(occurrences(report, "name=\"reference\" tests=\"4\" failures=\"1\" skipped=\"2\""), 1U) << report;
}

TEST(Junit, AnyTextIsWellFormed) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  for (const std::string& text :
       {every_byte, std::string("]]>"), std::string("<![CDATA[x]]>"), std::string("&amp;&#0;&"),
        std::string("\"'><!--"), std::string("\xEF\xBF\xBE\xEF\xBF\xBF"),
        std::string("\xED\xA0\x80\xC2\x9B\xF4\x90\x80\x80"), std::string("\xE2\x9C"),
        std::string("\xE2\x9C\x93 \xF0\x9F\x8C\x8A")}) {
    SCOPED_TRACE(text);
    Constructed all;
    all.recording("r" + text, "t" + text).row("I" + text, Verdict::violated, Level::must, text);
    all.row("A" + text, Verdict::violated, Level::should, text);
    all.row("N" + text, Verdict::not_judged).last().reason = text;
    EXPECT_EQ(WellFormed::fault(junit(all)), "");
  }
}

TEST(Junit, ReaderOfThisTestSeesFaults) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_EQ(WellFormed::fault(head + "<a>&lt;<b c=\"d\"/></a>\n"), "");
  for (const char* broken :
       {"<a></b>\n", "<a>\n", "<a>]]></a>\n", "<a>&x;</a>\n", "<a b=\"<\"/>\n", "<a b=\"\"\"/>\n",
        "<a>\x01</a>\n", "<a>\xFF</a>\n", "<a>\xEF\xBF\xBF</a>\n", "<a/><a/>\n", ""}) {
    EXPECT_NE(WellFormed::fault(head + broken), "") << broken;
  }
}

TEST(Junit, UnjudgedOrUnreadableRecordingFails) {
  Constructed all;
  all.recording("chat/a", "one").row("ANT-01", Verdict::met);
  all.recording("chat/a", "two").row("ANT-01", Verdict::not_exercised).row("META-03", Verdict::met);
  all.heading.unreadable = 2;
  const std::string report = junit(all);
  EXPECT_EQ(WellFormed::fault(report), "");
  EXPECT_NE(report.find("name=\"one\" tests=\"1\" failures=\"0\" skipped=\"0\""), std::string::npos)
      << report;
  EXPECT_NE(report.find("name=\"two\" tests=\"2\" failures=\"1\" skipped=\"0\""), std::string::npos)
      << report;
  EXPECT_EQ(occurrences(report, "no rule was judged"), 1U);
  EXPECT_EQ(occurrences(report, "2 recordings unreadable"), 1U);
}

}  // namespace
}  // namespace splitproof::report::junit_test
