#include "harness/report/sarif.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "made_up.hpp"
#include "sarif_shape.hpp"

namespace splitproof::report::sarif_test {
namespace {

using nlohmann::json;

json log_of(const Constructed& all, bool complete = true) {
  return json::parse(sarif_report(all.results, all.heading, all.summary(), complete));
}

std::string listed(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Sarif, HasTheShapeThatTheSchemaDemands) {
  Constructed untested = made_up(2, 3);
  untested.heading.untested["t"] = "it answers 401";
  for (const Constructed& all : {Constructed(), made_up(1, 1), made_up(3, 40), untested}) {
    for (const bool complete : {false, true}) EXPECT_EQ(listed(wrong_in_sarif(log_of(all, complete))), "");
  }
}

// Each of these violates the schema, or its text about indices.
TEST(Sarif, ShapeIsNotMetByChance) {
  const json sound = log_of(made_up(1, 3));
  ASSERT_EQ(listed(wrong_in_sarif(sound)), "");
  const std::string run = "/runs/0", rule = run + "/tool/driver/rules/1", result = run + "/results/0",
                    place = result + "/locations/0/physicalLocation";
  for (const char* absent :
       {"/version", "/runs", "/runs/0/tool", "/runs/0/tool/driver", "/runs/0/tool/driver/name",
        "/runs/0/tool/driver/rules/1/id", "/runs/0/tool/driver/rules/1/help/text",
        "/runs/0/results/0/message", "/runs/0/results/0/message/text",
        "/runs/0/results/0/locations/0/physicalLocation/artifactLocation",
        "/runs/0/invocations/0/executionSuccessful"}) {
    const json::json_pointer at(absent);
    json log = sound;
    log[at.parent_pointer()].erase(at.back());
    EXPECT_NE(listed(wrong_in_sarif(log)), "") << "without " << absent;
  }
  const std::vector<std::pair<std::string, json>> wrong{
      {"/version", "2.1"},
      {"/$schema", "sarif.json"},
      {"/extra", 1},
      {rule + "/helpUri", "docs/rules.md"},
      {rule + "/level", "error"},
      {rule + "/defaultConfiguration/level", "must"},
      {rule + "/properties/tags", {"a", "a"}},
      {run + "/tool/driver/rules/0", sound[json::json_pointer(rule)]},
      {result + "/ruleIndex", -1},
      {result + "/ruleIndex", 1},
      {result + "/ruleIndex", 7},
      {result + "/level", "critical"},
      {result + "/message", "text"},
      {result + "/partialFingerprints/a", 1},
      {place + "/region/startLine", 0},
      {place + "/region/startLine", "1"},
      {place + "/artifactLocation/uri", "mutant:a b"},
      {place + "/artifactLocation/uri", "a%2"},
      {place + "/artifactLocation/uri", "a:%C3%A4<b"},
      {run + "/invocations/0/executionSuccessful", "yes"}};
  for (const auto& [at, value] : wrong) {
    json log = sound;
    log[json::json_pointer(at)] = value;
    EXPECT_NE(listed(wrong_in_sarif(log)), "") << at << " " << value;
  }
}

TEST(Sarif, RuleHelpsWithoutAPageOfItsOwn) {
  results::Rule rule;
  rule.id = "ANT-08";
  rule.says = "One block is open.";
  rule.why = "Clients *mix* them up.";
  rule.harm = {{"Messages, streaming", "", "Blocks come one by one."}, {"", "sdk", "It loses the text."}};
  rule.seen = {"owner/name#12"};
  Constructed all;
  all.recording("a/one").row("ANT-08", contract::Verdict::violated);
  all.heading.rules[rule.id] = rule;
  all.behaves("a/one?client=anthropic.messages&gen=whole");
  const json log = log_of(all);
  EXPECT_EQ(listed(wrong_in_sarif(log)), "");
  const json& told = log["runs"][0]["tool"]["driver"]["rules"][0];
  for (const char* form : {"text", "markdown"}) {
    const std::string help = told["help"].at(form);
    for (const char* word :
         {"One block is open.", "splitproof explain ANT-08", "Messages, streaming", "Blocks come one by one.",
          "sdk", "It loses the text.", "https://github.com/owner/name/issues/12"})
      EXPECT_NE(help.find(word), std::string::npos) << word << " in the " << form << "\n" << help;
  }
  EXPECT_NE(told["help"]["markdown"].get<std::string>().find("Clients \\*mix\\* them up."),
            std::string::npos);
}

// Code scanning refuses files outside the source, and absolute paths.
TEST(Sarif, PlaceIsBelowTheRootOfTheSourceOrTheTargetsName) {
  const auto artifact_of = [](Constructed& all) {
    return log_of(all)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
  };
  for (const std::string target : {"proxy", "mutant:one", "/etc/proxy", "../proxy", "//host/proxy"}) {
    Constructed all;
    all.recording("a/one", target).row("ANT-08", contract::Verdict::violated);
    all.behaves("a/one?client=anthropic.messages&gen=whole");
    all.heading.files[target] = "/somewhere/else/target.yaml";
    const json outside = artifact_of(all);
    const std::string uri = outside["uri"];
    EXPECT_EQ(uri.find_first_of(":/"), std::string::npos) << uri;
    EXPECT_FALSE(outside.contains("uriBaseId")) << outside;
    all.heading.places[target] = "splitproof/a b:c.yaml";
    EXPECT_EQ(artifact_of(all), json({{"uri", "splitproof/a%20b%3Ac.yaml"}, {"uriBaseId", "%SRCROOT%"}}));
  }
}

}  // namespace
}  // namespace splitproof::report::sarif_test
