// A client's answer as events for rules.

#include "harness/evidence/answer_trace.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace splitproof::evidence::answer_trace_test {
namespace {

using nlohmann::json;
using observe::DemandedAnswer;
using observe::ReadAnswer;

DemandedAnswer tide() {
  DemandedAnswer demanded;
  demanded.answer.text = "At nine.";
  demanded.answer.thinking = "Nine or ten?";
  demanded.answer.calls = {{"call_1", "tide", "{\"port\":1}"}};
  demanded.answer.stop = "stop";
  demanded.answer.output = 5;
  demanded.prose = "Nine or ten?At nine.";
  demanded.outcome = DemandedAnswer::Outcome::success;
  demanded.text_after = {{10, 3}, {20, 8}};
  return demanded;
}

testee::Observation reported(const ReadAnswer& answer) {
  testee::Observation seen;
  seen.body = observe::line_of(answer);
  return seen;
}

// Returns the events that differ, as "type: sent -> reported", or that are wrong or late.
std::string differences(const DemandedAnswer& demanded, const testee::Observation& seen,
                        const ReadAnswer* original = nullptr,
                        const observe::ReadBody& stream = {"call_1", {}}) {
  std::string all;
  for (const observe::Event& event : answer_trace(stream, demanded, seen, original).events) {
    const json& one = *event.json;
    const std::string type = one["type"];
    if (one.contains("sent") && one["sent"] != one["reported"])
      all +=
          type + ": " + one["sent"].get<std::string>() + " -> " + one["reported"].get<std::string>() + "\n";
    if (one.value("wrong", false)) all += one["kind"].get<std::string>() + "\n";
    if (one.value("late", false)) all += "late after " + one["after"].dump() + "\n";
  }
  return all;
}

TEST(AnswerTrace, EqualAnswerHasNoDifference) {
  const ReadAnswer right = tide().answer;
  EXPECT_EQ(differences(tide(), reported(right)), "");
  EXPECT_EQ(differences(tide(), reported(right), &right), "");
}

TEST(AnswerTrace, ThinkingInTextIsOneDifference) {
  ReadAnswer mixed = tide().answer;
  mixed.text = "Nine or ten?At nine.";
  mixed.thinking = "";
  EXPECT_EQ(differences(tide(), reported(mixed)), "thinking: Nine or ten? -> \n");
}

TEST(AnswerTrace, MemberThatOnlyThisSplitChangesIsASplit) {
  const ReadAnswer right = tide().answer;
  ReadAnswer wrong = right;
  wrong.text = "At";
  EXPECT_EQ(differences(tide(), reported(wrong), &right), "split: text At nine. -> text At\n");
  EXPECT_EQ(differences(tide(), reported(wrong), &wrong), "text: At nine. -> At\n");
  EXPECT_EQ(differences(tide(), reported(wrong)), "text: At nine. -> At\n");
}

TEST(AnswerTrace, SplitIsComparedEvenIfTheContentIsNot) {
  DemandedAnswer demanded = tide();
  demanded.unjudged = "the stream violates a rule";
  demanded.outcome = DemandedAnswer::Outcome::open;
  ReadAnswer original = demanded.answer;
  original.text = "Another text";
  ReadAnswer other = original;
  EXPECT_EQ(differences(demanded, reported(other), &original), "");
  other.calls[0].id = "made up";  // an id that the stream does not have
  original.calls[0].id = "made up too";
  EXPECT_EQ(differences(demanded, reported(other), &original), "");
  other.calls[0].arguments = "{}";
  EXPECT_EQ(differences(demanded, reported(other), &original),
            "split: arguments {\"port\":1} -> arguments {}\n");
}

TEST(AnswerTrace, CutCharacterIsNamedOnlyWhereOneIsCut) {
  const ReadAnswer right = tide().answer;
  ReadAnswer wrong = right;
  wrong.text = "At \xEF\xBF\xBD.";
  const auto kind = [&](const observe::ReadBody& stream) -> std::string {
    for (const observe::Event& event : answer_trace(stream, tide(), reported(wrong), &right).events)
      if ((*event.json)["type"] == "split" && (*event.json)["sent"] != (*event.json)["reported"])
        return (*event.json)["kind"];
    return "none";
  };
  EXPECT_EQ(kind({"a\xC3\xB6 call_1", {2}}), "character");
  EXPECT_EQ(kind({"a\xC3\xB6 call_1", {1}}), "answer");
}

TEST(AnswerTrace, CallsWithOtherNamesAreNotComparedFurther) {
  ReadAnswer wrong = tide().answer;
  wrong.calls = {{"x", "wind", "{}"}};
  EXPECT_EQ(differences(tide(), reported(wrong)), "calls: tide -> wind\n");
  wrong.calls[0].name = "tide";
  EXPECT_EQ(differences(tide(), reported(wrong)), "arguments: {\"port\":1} -> {}\nid: call_1 -> x\n");
}

TEST(AnswerTrace, OutcomeDemandsErrorOrNone) {
  DemandedAnswer demanded = tide();
  ReadAnswer failed;
  failed.error = "terminated";
  EXPECT_EQ(differences(demanded, reported(failed)), "complete\n");
  const ReadAnswer succeeded = demanded.answer;
  for (const auto& [outcome, found] : {std::pair(DemandedAnswer::Outcome::broken_off, "broken-off\n"),
                                       {DemandedAnswer::Outcome::incomplete, "broken-off\n"},
                                       {DemandedAnswer::Outcome::failed, "failed\n"},
                                       {DemandedAnswer::Outcome::open, ""}}) {
    demanded.outcome = outcome;
    EXPECT_EQ(differences(demanded, reported(succeeded)), found);
    EXPECT_EQ(differences(demanded, reported(failed)), "");
  }
  demanded.outcome = DemandedAnswer::Outcome::incomplete;
  EXPECT_EQ(differences(demanded, reported(ReadAnswer())), "");
}

TEST(AnswerTrace, MemberThatItCannotReportIsNotCompared) {
  ReadAnswer poor;
  poor.text = "At nine.";
  poor.unreported = {"thinking", "calls", "ids", "stop", "usage"};
  EXPECT_EQ(differences(tide(), reported(poor)), "");
}

TEST(AnswerTrace, TextIsLateIfAHoldWasNotMet) {
  testee::Observation seen;
  seen.body = observe::line_of_told(3);
  seen.releases = {{10, false, 0}, {20, true, seen.body.size()}, {30, false, 0}};
  seen.body += observe::line_of(tide().answer);
  EXPECT_EQ(differences(tide(), seen), "late after 10\n");
}

}  // namespace
}  // namespace splitproof::evidence::answer_trace_test
