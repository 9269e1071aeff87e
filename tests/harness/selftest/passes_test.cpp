// Reasons why changes may pass: their scope, and mistakes in their files.

#include "harness/selftest/passes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/selftest/findings.hpp"

namespace splitproof::selftest::passes_test {
namespace {

namespace fs = std::filesystem;

Result<Reasons> loaded(const std::string& text) {
  const fs::path folder = fs::path(testing::TempDir()) / "passes";
  fs::remove_all(folder);
  fs::create_directories(folder / "self-test");
  std::ofstream(folder / "self-test" / "one.yaml") << text;
  return load_reasons({folder});
}

const std::string kFile =
    "self-test: openai.chat\n"
    "passes:\n"
    "  - {why: First., changes: [drop, swap], events: [text, thinking*]}\n"
    "  - {why: Second., changes: [any], events: [usage], fields: [/usage/cost, /usage/details*]}\n"
    "  - {why: Third., changes: [double]}\n";

TEST(Passes, CoverByKindEventAndField) {
  const std::vector<Pass> passes = loaded(kFile).value().passes;
  ASSERT_EQ(passes.size(), 3u);
  EXPECT_EQ(passes[1].line, 4u);
  const auto reason = [&](const ChangePlace& place, const std::string& protocol = "openai.chat") {
    return pass_for(passes, protocol, place);
  };
  EXPECT_EQ(reason({"drop", "text", ""}), 0u);
  EXPECT_EQ(reason({"drop", "thinking+other", ""}), 0u);
  EXPECT_EQ(reason({"drop", "text+finish", ""}), std::nullopt);
  EXPECT_EQ(reason({"null-field", "text", ""}), std::nullopt);
  EXPECT_EQ(reason({"drop-field", "usage", "/usage/cost"}), 1u);
  EXPECT_EQ(reason({"other-value", "usage", "/usage/details/cached"}), 1u);
  EXPECT_EQ(reason({"drop-field", "usage", "/usage"}), std::nullopt);
  EXPECT_EQ(reason({"double", "call", ""}), 2u);
  EXPECT_EQ(reason({"double", "call", ""}, "openai.responses"), std::nullopt);
}

TEST(Passes, OfAFolderWithoutThemAreNone) {
  EXPECT_TRUE(load_reasons({fs::path(testing::TempDir()) / "nothing-here"}).value().passes.empty());
}

TEST(Passes, MistakesNameTheirLine) {
  const std::vector<std::tuple<std::string, std::size_t, std::string>> mistakes = {
      {"self-test: openai.chat\npasses: 3\n", 2, "list"},
      {"self-test: openai.chat\npasses:\n  - {changes: [drop]}\n", 3, "why"},
      {"self-test: openai.chat\npasses:\n  - {why: Because.}\n", 3, "changes"},
      {"self-test: openai.chat\npasses:\n  - {why: Because., changes: [drop], event: [text]}\n", 3, "event"},
      {"self-test: openai.chat\nsilent: no\n", 2, "list"},
      {"self-test: openai.chat\nsilent:\n  - {why: Because.}\n", 3, "kinds"}};
  for (const auto& [text, line, word] : mistakes) {
    const auto passes = loaded(text);
    ASSERT_FALSE(passes) << text;
    EXPECT_EQ(passes.error().line, line) << describe(passes.error());
    EXPECT_NE(describe(passes.error()).find(word), std::string::npos) << describe(passes.error());
    EXPECT_TRUE(passes.error().file.find("one.yaml") != std::string::npos);
  }
}

TEST(Passes, ExcuseNothingThatAltersTheAnswer) {
  Findings findings;
  findings.passes = loaded(kFile).value().passes;
  Unseen& unseen = findings.tallies["openai.chat"].unseen[{"drop", "text", ""}];
  unseen = {3, 0, "here"};
  EXPECT_TRUE(objections(findings, false).empty());
  unseen.altering = 1;
  EXPECT_EQ(objections(findings, false).size(), 1u);
  findings.tallies["openai.chat"].unseen = {{{"retype", "text", ""}, {1, 0, "there"}}};
  ASSERT_EQ(objections(findings, false).size(), 1u);
  EXPECT_NE(objections(findings, false).front().find("passes without a reason: there"), std::string::npos);
}

const std::string kSilent =
    "self-test: openai.chat\n"
    "silent:\n"
    "  - {why: First., kinds: [blank@call.id, 'stray-*@first']}\n"
    "  - {why: Second., kinds: ['*@call.id']}\n";

TEST(Silences, CoverByPatternOfTheName) {
  const std::vector<SilentKinds> silences = loaded(kSilent).value().silences;
  ASSERT_EQ(silences.size(), 2u);
  EXPECT_EQ(silences[1].line, 4u);
  EXPECT_EQ(silence_for(silences, "openai.chat", "blank@call.id"), 0u);
  EXPECT_EQ(silence_for(silences, "openai.chat", "stray-line@first"), 0u);
  EXPECT_EQ(silence_for(silences, "openai.chat", "null@call.id"), 1u);
  EXPECT_EQ(silence_for(silences, "openai.chat", "stray-line@last"), std::nullopt);
  EXPECT_EQ(silence_for(silences, "openai.responses", "blank@call.id"), std::nullopt);
}

TEST(Silences, EachPatternIsNeededOrStale) {
  Findings findings;
  findings.silences = loaded(kSilent).value().silences;
  KindTally& tally = findings.kinds["openai.chat"];
  tally["blank@call.id"] = {3, 1, 0, 0, 2, "here"};
  tally["stray-line@first"] = {2, 0, 0, 0, 2, "here"};
  EXPECT_TRUE(objections(findings, true).empty());
  tally["stray-line@first"] = {2, 2, 0, 0, 0, ""};
  EXPECT_TRUE(objections(findings, false).empty());
  ASSERT_EQ(objections(findings, true).size(), 1u);
  EXPECT_NE(objections(findings, true).front().find("one.yaml:3: no silent kind matches stray-*@first"),
            std::string::npos);
}

TEST(Silences, AreAskedForAndLegalVariationsHaveNone) {
  Findings findings;
  KindTally& tally = findings.kinds["openai.chat"];
  tally["newline-behind@call.name"] = {3, 1, 0, 0, 2, "here"};
  tally["large@usage"] = {3, 1, 0, 0, 0, "there (USE-01)"};
  tally["tab-behind@call.name"] = {};
  const std::vector<std::string> some = objections(findings, false);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_NE(some[0].find("2 of 3 with newline-behind@call.name pass without a reason: here"),
            std::string::npos);
  EXPECT_NE(some[1].find("large@usage is legal, but a rule reports it: there (USE-01)"), std::string::npos);
  const std::vector<std::string> all = objections(findings, true);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_NE(all[1].find("no stream is suitable for tab-behind@call.name"), std::string::npos);
}

TEST(Passes, ThatExcuseNothingAreStale) {
  Findings findings;
  findings.passes = loaded(kFile).value().passes;
  findings.tallies["openai.chat"].unseen = {{{"drop", "text", ""}, {1, 0, "here"}},
                                            {{"double", "call", ""}, {1, 0, "here"}}};
  EXPECT_TRUE(objections(findings, false).empty());
  ASSERT_EQ(objections(findings, true).size(), 1u);
  EXPECT_NE(objections(findings, true).front().find("one.yaml:4: nothing passes for this reason"),
            std::string::npos);
}

}  // namespace
}  // namespace splitproof::selftest::passes_test
