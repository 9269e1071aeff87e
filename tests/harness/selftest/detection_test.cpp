// Tests which rules detect a change, and that a removed rule is missed.

#include "harness/selftest/detection.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/selftest/findings.hpp"
#include "tests/harness/selftest/controls.hpp"
#include "tests/harness/selftest/fewer_rules.hpp"

namespace splitproof::selftest::detection_test {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Detection seen(const Stream& stream, const std::string& body) {
  return StreamExaminer(contract::built_in_contracts(), contract::default_profile(), stream.protocol,
                        stream.body)
      .look(body);
}

TEST(Detection, OfTheStreamItselfIsNothing) {
  for (const Stream& stream : some_controls())
    EXPECT_EQ(seen(stream, stream.body), Detection{}) << stream.name;
}

TEST(Detection, OfStructureNeedsNoMeaning) {
  const Stream stream = control("anthropic.messages", "plain-text");
  const Detection sight = seen(
      stream, replaced(stream.body, "content_block_stop\",\"index\":0", "content_block_stop\",\"index\":1"));
  EXPECT_EQ(sight, (Detection{"ANT-06", "ANT-06", true, true}));
}

TEST(Detection, OfWordsNeedsMeaning) {
  const Stream text = control("anthropic.messages", "plain-text");
  EXPECT_EQ(seen(text, replaced(text.body, "tide", "wind")), (Detection{"", "ANT-20", true, true}));
  const Stream chat = control("openai.chat", "chat-text");
  EXPECT_EQ(seen(chat, replaced(chat.body, "ferry ", "barge ")), (Detection{"", "CHT-14", true, true}));
}

TEST(Detection, OfResponsesIsThatTheyRepeatEverything) {
  const Stream stream = control("openai.responses", "responses-text");
  EXPECT_EQ(seen(stream, replaced(stream.body, "noon", "six")), (Detection{"RSP-06", "RSP-06", true, true}));
}

TEST(Detection, WhatTheServerChoosesAltersNothing) {
  const Stream stream = control("anthropic.messages", "plain-text");
  EXPECT_EQ(seen(stream, replaced(stream.body, "fable-large", "fable-small")), Detection{});
}

Findings findings_on(const contract::Contracts& contracts, const std::string& control_name) {
  const Stream stream = control("anthropic.messages", control_name);
  Findings findings;
  findings.tallies[stream.protocol] = examine(contracts, contract::default_profile(), stream);
  findings.passes = load_reasons({contract::contract_folder()}).value().passes;
  return findings;
}

TEST(Findings, AreNoneUnderTheBuiltInContracts) {
  for (const char* name : {"plain-text", "two-tools", "thinking-then-tool"})
    EXPECT_EQ(objections(findings_on(contract::built_in_contracts(), name), false),
              std::vector<std::string>{})
        << name;
}

std::size_t seen_alone(const Findings& findings) {
  return findings.tallies.begin()->second.structure_and_framing().alone;
}

// Two other rules detect the same small changes as ANT-05, so only all three together are missed.
TEST(Findings, TellThatARuleIsMissing) {
  const std::vector<std::vector<std::string>> groups = {
      {"ANT-06"},  {"ANT-07"},  {"ANT-15"},
      {"SSE-07"},  {"STOP-06"}, {"TOOL-01"},
      {"TOOL-02"}, {"USE-01"},  {"ANT-05", "ANT-08", "ANT-09"}};
  const Findings whole = findings_on(contract::built_in_contracts(), "two-texts");
  const Findings whole_tools = findings_on(contract::built_in_contracts(), "two-tools");
  for (const std::vector<std::string>& ids : groups) {
    SCOPED_TRACE(ids.front());
    const contract::Contracts fewer = without(ids);
    for (const std::string& id : ids) ASSERT_EQ(fewer.find(id), nullptr);
    EXPECT_LT(seen_alone(findings_on(fewer, "two-texts")) + seen_alone(findings_on(fewer, "two-tools")),
              seen_alone(whole) + seen_alone(whole_tools));
  }
}

// Reports undetected changes, and changes that too few rules detect.
TEST(Findings, TellWhatPassesWithoutARule) {
  for (const char* id : {"ANT-04", "ANT-06", "ANT-12", "ANT-15", "STOP-06"})
    EXPECT_FALSE(objections(findings_on(without({id}), "two-texts"), false).empty()) << id;
  const auto told = objections(findings_on(without({"SSE-07"}), "two-tools"), false);
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told.front().find("contracts alone notice 9"), std::string::npos) << told.front();
}

TEST(Findings, TellThatMeaningIsMissing) {
  const Findings missing = findings_on(without({"ANT-20"}), "plain-text");
  const ChangeCount total = missing.tallies.begin()->second.total();
  EXPECT_LT(total.altering_seen, total.altering);
  const auto told = objections(missing, false);
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told.front().find("passes, although it alters the answer"), std::string::npos) << told.front();
}

TEST(Findings, TellTooLittleSeen) {
  Findings findings;
  ChangeTally& tally = findings.tallies["anthropic.messages"];
  tally.counts[{ChangePart::framing, "glue"}] = {60, 60, 60, 0, 0};
  tally.counts[{ChangePart::structure, "drop"}] = {40, 35, 40, 40, 40};
  tally.counts[{ChangePart::content, "drop"}] = {1000, 0, 1000, 1000, 1000};
  EXPECT_TRUE(objections(findings, true).empty());
  tally.counts[{ChangePart::structure, "drop"}].alone = 34;
  ASSERT_EQ(objections(findings, true).size(), 1u);
  EXPECT_NE(objections(findings, true).front().find("contracts alone notice 94.0 %"), std::string::npos);
}

}  // namespace
}  // namespace splitproof::selftest::detection_test
