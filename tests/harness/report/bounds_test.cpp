#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "harness/report/formats.hpp"
#include "harness/report/github.hpp"
#include "harness/report/html.hpp"
#include "harness/report/sarif.hpp"
#include "harness/utf8.hpp"
#include "made_up.hpp"

namespace splitproof::report::bounds_test {
namespace {

using nlohmann::json;

// 10,000 findings, each with its own cause.
const Constructed& large() {
  static const Constructed all = made_up(50, 200);
  return all;
}

const Summary& large_summary() {
  static const Summary summary = large().summary();
  return summary;
}

using Write = std::string(const std::vector<results::RecordingResult>&, const Heading&, const Summary&, bool);

std::string of_large(Write& write) { return write(large().results, large().heading, large_summary(), true); }

std::string of(const Constructed& all, Write& write) {
  return write(all.results, all.heading, all.summary(), true);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Returns the highest number between `before` and `after`, counted from 1.
std::size_t count_numbered(const std::string& page, const std::string& before, const std::string& after) {
  std::size_t told = 0;
  for (std::size_t at = 0;
       (at = page.find(before + std::to_string(told + 1) + after, at)) != std::string::npos;)
    ++told;
  return told;
}

TEST(Bounds, HoldOfTenThousandCauses) {
  ASSERT_EQ(large_summary().causes.size(), 10'000U);
  const std::map<std::string_view, std::size_t> most{{"html", kMostOfPage},
                                                     {"sarif", kMostOfSarif},
                                                     {"github", 64 * 1024},
                                                     {"github-summary", 1 << 20},
                                                     {"badge", 200}};
  std::size_t checked = 0;
  for (const Format& format : formats()) {
    const auto bound = most.find(format.name);
    if (bound == most.end()) continue;
    SCOPED_TRACE(format.name);
    const std::string report = of_large(*format.write);
    EXPECT_LE(report.size(), bound->second);
    EXPECT_EQ(find_ill_formed_utf8(report), std::string::npos);
    ++checked;
  }
  EXPECT_EQ(checked, most.size());
}

TEST(HtmlPage, MostHarmfulCausesHaveTheirBytesTheRestIsCounted) {
  const std::string page = of_large(html_report);
  EXPECT_NE(page.find("data-number=\"1\""), std::string::npos);
  EXPECT_NE(page.find("The report leaves out the whole streams"), std::string::npos);
  const std::size_t told = count_numbered(page, "data-number=\"", "\"");
  EXPECT_GT(told, 100U);
  EXPECT_NE(page.find("<p>and " + std::to_string(10'000 - told) + " causes more</p>"), std::string::npos);
}

TEST(HtmlPage, HasNothingOfARecordingButText) {
  const Constructed all = made_up(1, 3);
  const std::string page = of(all, html_report);
  EXPECT_EQ(find_ill_formed_utf8(page), std::string::npos);
  // The page's own content is between the style and the script.
  EXPECT_EQ(page.find("<script>"), page.rfind("<script>"));
  EXPECT_EQ(page.find("</script>"), page.rfind("</script>"));
  EXPECT_EQ(page.find("</style>"), page.rfind("</style>"));
  const std::set<std::string> own{
      "html", "head",  "meta",   "title",  "style", "body",   "header",  "h1",        "h2",       "h3",
      "p",    "span",  "main",   "div",    "table", "thead",  "tbody",   "tr",        "th",       "td",
      "form", "label", "select", "option", "input", "output", "details", "summary",   "ul",       "ol",
      "li",   "b",     "i",      "pre",    "code",  "button", "section", "script",    "!doctype", "a",
      "dl",   "dt",    "dd",     "h4",     "small", "strong", "figure",  "figcaption"};
  const std::size_t end = page.find("<script>");
  for (std::size_t at = page.find('<', page.find("</style>")); at < end; at = page.find('<', at + 1)) {
    const std::string tag =
        std::regex_replace(page.substr(at, page.find('>', at) - at), std::regex("\"[^\"]*\""), "");
    const std::string name = tag.substr(tag[1] == '/' ? 2 : 1);
    EXPECT_EQ(own.count(name.substr(0, name.find(' '))), 1U) << tag;
    EXPECT_EQ(tag.find(" on"), std::string::npos) << tag;
    EXPECT_EQ(tag.find("owned"), std::string::npos) << tag;
  }
  for (const char* hidden : {"\x1B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\r"})
    EXPECT_EQ(page.find(hidden), std::string::npos);
}

TEST(HtmlPage, ShowsTheCutsAndTheFirstWrongEvent) {
  const Constructed all = made_up(1, 1);
  const std::string page = of(all, html_report);
  EXPECT_NE(page.find("<b title=\"cut at byte 50\">|</b>"), std::string::npos);
  EXPECT_NE(page.find("<li class=\"first\"><strong>here: event 0 is wrong "), std::string::npos);
  EXPECT_NE(page.find("0 delta, byte 0</small><pre>{&quot;number&quot;: 0,"), std::string::npos) << page;
  EXPECT_EQ(page.find("cut off:"), std::string::npos);
}

TEST(HtmlPage, TruncatedBodyIsMarked) {
  Constructed all = made_up(1, 1);
  all.results.front().behaviours.front().body.assign(results::kKeptBody, 'x');
  EXPECT_NE(of(all, html_report).find("cut off: the report keeps only the first 65536 bytes"),
            std::string::npos);
}

// GitHub's requirements for an upload beyond the schema, and the schema's own for the used parts.
TEST(Sarif, IsAcceptedByGitHub) {
  const json log = json::parse(of_large(sarif_report));
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_EQ(log["runs"].size(), 1U);
  const json& run = log["runs"][0];
  const json& rules = run["tool"]["driver"]["rules"];
  EXPECT_EQ(run["tool"]["driver"]["name"], "splitproof");
  EXPECT_LE(rules.size(), 25'000U);
  std::set<std::string> ids;
  for (const json& rule : rules) {
    EXPECT_TRUE(ids.insert(rule["id"].get<std::string>()).second) << rule;
    EXPECT_LE(rule["shortDescription"]["text"].get<std::string>().size(), 1024U);
    EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
    EXPECT_LE(rule["properties"]["tags"].size(), 20U);
  }
  ASSERT_FALSE(run["results"].empty());
  EXPECT_LE(run["results"].size(), kMostResults);
  std::set<std::string> fingerprints;
  for (const json& result : run["results"]) {
    EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
    EXPECT_EQ(result["level"], "error");
    EXPECT_LE(result["message"]["text"].get<std::string>().size(), 1024U);
    ASSERT_EQ(result["locations"].size(), 1U);
    const json& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["region"]["startLine"], 1);
    const std::string uri = place["artifactLocation"]["uri"];
    EXPECT_TRUE(uri.starts_with("targets/")) << uri;
    EXPECT_EQ(uri.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/%"),
              std::string::npos)
        << uri;
    EXPECT_TRUE(
        fingerprints.insert(result["partialFingerprints"]["splitproofCause/v1"].get<std::string>()).second);
  }
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "and " + std::to_string(10'000 - run["results"].size()) + " causes more");
}

// Otherwise the alerts of an earlier run would be closed.
TEST(Sarif, UntestedTargetIsReportedAsUnsuccessful) {
  Constructed untested;
  untested.heading.untested["t"] = "it answers 401";
  const json run =
      json::parse(sarif_report(untested.results, untested.heading, untested.summary(), true))["runs"][0];
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
}

TEST(Sarif, FingerprintsDependOnlyOnTargetAndRule) {
  const auto prints = [](const Constructed& all) {
    std::map<std::string, std::string> known;
    const json log = json::parse(of(all, sarif_report));
    for (const json& result : log["runs"][0]["results"])
      known[result["properties"]["target"].get<std::string>() + " " + result["ruleId"].get<std::string>()] =
          result["partialFingerprints"]["splitproofCause/v1"].get<std::string>();
    return known;
  };
  const auto few = prints(made_up(1, 2));
  const auto more = prints(made_up(3, 5));
  ASSERT_EQ(few.size(), 2U);
  ASSERT_EQ(more.size(), 15U);
  for (const auto& [key, value] : few) EXPECT_EQ(more.at(key), value) << key;
}

TEST(GitHub, FirstTenAreAnnotatedAndTheRestIsCounted) {
  const std::vector<std::string> lines = lines_of(of_large(github_annotations));
  ASSERT_EQ(lines.size(), kMostAnnotations + 3);
  for (std::size_t i = 0; i < kMostAnnotations; ++i) {
    const std::string& line = lines[i];
    EXPECT_TRUE(line.starts_with("::error file=targets/")) << line;
    const std::string properties = line.substr(8, line.find("::", 8) - 8);
    EXPECT_EQ(std::count(properties.begin(), properties.end(), ','), 2) << properties;
    EXPECT_EQ(properties.find(':'), std::string::npos) << properties;
    EXPECT_NE(line.find("splitproof replay "), std::string::npos) << line;
  }
  EXPECT_EQ(lines[kMostAnnotations], "::notice title=splitproof::and 9990 causes more");
  EXPECT_TRUE(lines[kMostAnnotations + 1].starts_with("::notice title=splitproof run::cases: "));
  EXPECT_TRUE(lines.back().starts_with("::warning title=splitproof::splitproof: VIOLATES")) << lines.back();
}

TEST(GitHub, SummaryShowsWhatFitsAndCountsTheRest) {
  const std::string page = of_large(github_summary);
  const std::size_t told = count_numbered(page, "\n### ", ". ");
  EXPECT_GT(told, 50U);
  EXPECT_NE(page.find("And " + std::to_string(10'000 - told) + " causes more."), std::string::npos);
}

TEST(Badge, NumberOfCausesIsShown) {
  const Format* badge = nullptr;
  for (const Format& format : formats())
    if (format.name == "badge") badge = &format;
  ASSERT_NE(badge, nullptr);
  const auto message = [&](const Constructed& all, bool complete) {
    const json said = json::parse(badge->write(all.results, all.heading, all.summary(), complete));
    EXPECT_EQ(said["schemaVersion"], 1);
    EXPECT_EQ(said["label"], "splitproof");
    return said["message"].get<std::string>() + " " + said["color"].get<std::string>();
  };
  EXPECT_EQ(message(made_up(1, 3), true), "3 causes red");
  EXPECT_EQ(message(made_up(1, 3), false), "interrupted lightgrey");
  Constructed sound;
  sound.recording("chat/a").row("ANT-01", contract::Verdict::met);
  EXPECT_EQ(message(sound, true), "conforms brightgreen");
  Constructed unread = sound;
  unread.heading.unreadable = 1;
  EXPECT_EQ(message(unread, true), "violates red");
  Constructed untested = sound;
  untested.heading.unavailable = 1;
  EXPECT_EQ(message(untested, true), "not tested lightgrey");
}

}  // namespace
}  // namespace splitproof::report::bounds_test
