#include "harness/cause/same_fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/edit.hpp"
#include "made.hpp"

namespace splitproof::cause::same_fault_test {
namespace {

using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr const char* kTexts = "Ebb and end_turn tool_use refusal [error] full High water a b read tide f";

TEST(EditOf, NamesTheEditWithoutTheContent) {
  EXPECT_EQ(edit_of(R"(["a b"])", R"(["a","b"])"), "joined by \" \"");
  EXPECT_EQ(edit_of(R"(["ab"])", R"(["a","b"])"), "joined by \"\"");
  EXPECT_EQ(edit_of(R"(["a","b"])", R"(["a b"])"), "parted at \" \"");
  EXPECT_EQ(edit_of(R"("ebb")", R"(" ebb\n")"), "blanks removed");
  EXPECT_EQ(edit_of(R"("ebb  and")", R"("ebb and")"), "blanks added");
  EXPECT_EQ(edit_of(R"("ebb<br>and")", R"("ebband")"), "added: <br>");
  EXPECT_EQ(edit_of(R"("ebb")", R"("flood")"), "");
  EXPECT_EQ(edit_of(R"("")", R"("flood")"), "");
  EXPECT_EQ(edit_of("", ""), "");
}

// Adds answers that end with a reason, and violate rules about it.
void add(Made& made, const std::string& id, const std::set<std::string>& rules, const std::string& found,
         const std::string& wanted) {
  for (int i = 0; i < 5; ++i) {
    made.recording(id + std::to_string(i)).turns_out("gen=whole", rules);
    for (const std::string& rule : rules) made.says(rule, found, wanted);
  }
}

TEST(SameFault, ConstantValueIsOneCause) {
  for (const bool constant : {true, false}) {
    SCOPED_TRACE(constant);
    Made made;
    made.compares("STOP-02").compares("STOP-04", true).sound(40).knows(kTexts);
    add(made, "limit", {"STOP-02"}, R"("end_turn")", R"("max_tokens")");
    add(made, "sequence", {"STOP-02"}, constant ? R"("end_turn")" : R"("refusal")", R"("stop_sequence")");
    add(made, "call", {"STOP-04"}, R"("end_turn")", R"("tool_use")");
    EXPECT_THAT(ids(made.causes()), SizeIs(constant ? 1 : 2));
    EXPECT_THAT(ids(made.causes()), testing::Contains("STOP-02"));
  }
}

TEST(SameFault, OneValueForOneWantedValueIsNoConstant) {
  Made made;
  made.compares("STOP-02").compares("STOP-04", true).sound(40).knows(kTexts);
  add(made, "limit", {"STOP-02"}, R"("end_turn")", R"("max_tokens")");
  add(made, "call", {"STOP-04"}, R"("end_turn")", R"("tool_use")");
  EXPECT_THAT(ids(made.causes()), UnorderedElementsAre("STOP-02", "STOP-04"));
}

TEST(SameFault, KinRulesWithOneEditAreOneCause) {
  for (const bool same : {true, false}) {
    SCOPED_TRACE(same);
    Made made;
    made.compares("REQ-42").of_requests("REQ-42").compares("REQ-43").of_requests("REQ-43").sound(20).knows(
        kTexts);
    for (const char* id : {"a", "b", "c"})
      made.recording(id)
          .turns_out("gen=whole", {"REQ-42"})
          .says("REQ-42", R"(["Ebb and"])", R"(["Ebb","and"])");
    for (const char* id : {"d", "e"})
      made.recording(id)
          .turns_out("gen=whole", {"REQ-43"})
          .says("REQ-43", same ? R"(["High water"])" : "[]", R"(["High","water"])");
    EXPECT_THAT(ids(made.causes()), SizeIs(same ? 1 : 2));
  }
}

// Answers that failed without an end, and after them some that end as a success.
Made truncated(int open, int ended, bool have_one_end) {
  Made made;
  made.rule("END-01", true).sound(20).knows(kTexts);
  for (int i = 0; i < open + ended; ++i) {
    made.recording("r" + std::to_string(i))
        .turns_out("gen=whole", {"END-01"})
        .says("END-01", "false", "true");
    if (i >= open) made.symptom("END-01").place.event = 2;
    made.results.back().behaviours.back().upstream.end =
        have_one_end || i < open ? recording::End::closed : recording::End::reset;
  }
  return made;
}

TEST(SameFault, KindsOfOneFailureAreOneCause) {
  EXPECT_THAT(truncated(8, 1, true).causes(), SizeIs(1));
  EXPECT_THAT(truncated(8, 1, false).causes(), SizeIs(2));
}

TEST(SameFault, ManyFindingsOfAnotherKindAreAnotherCause) {
  EXPECT_THAT(truncated(8, 2, true).causes(), SizeIs(2));
}

TEST(SameFault, ContentThatOnlyARecutChangesDoesNotSeparateKinds) {
  Made made;
  made.rule("END-01", true).compares("CHT-14").sound(120).knows(kTexts);
  for (int i = 0; i < 9; ++i) {
    made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"END-01"});
    made.says("END-01", "false", "true");
    if (i == 0) made.symptom("END-01").place.event = 2;
    if (i == 0) continue;
    made.turns_out("recut=char&gen=whole", {"END-01", "CHT-14"}).says("CHT-14", R"("")", R"("Ebb")");
    made.says("END-01", "false", "true");
  }
  const std::vector<std::string> causes = ids(made.causes());
  EXPECT_EQ(std::count(causes.begin(), causes.end(), "END-01"), 1);
}

TEST(SameFault, FormThatBreaksOnlyWithinAShapeIsPartOfIt) {
  for (const bool within : {true, false}) {
    SCOPED_TRACE(within);
    Made made;
    made.compares("TOOL-11", true).rule("ANT-06").sound(60).knows(kTexts);
    for (const char* id : {"a", "b", "c", "d"})
      made.recording(id).turns_out("gen=whole", {"TOOL-11"}).says("TOOL-11", R"(["a"])", R"(["a","b"])");
    for (const char* id : {"e", "f"}) {
      made.recording(id)
          .turns_out("gen=whole", {"TOOL-11", "ANT-06"})
          .says("TOOL-11", R"(["a"])", R"(["a","b"])");
    }
    if (!within) made.recording("g").turns_out("gen=whole", {"ANT-06"});
    if (!within) made.recording("h").turns_out("gen=whole", {"ANT-06"});
    EXPECT_THAT(ids(made.causes()), SizeIs(within ? 1 : 2));
  }
}

TEST(SameFault, FormWithinAWidespreadShapeIsAnotherCause) {
  Made made;
  made.compares("TOOL-11", true).rule("ANT-06").sound(10).knows(kTexts);
  for (int i = 0; i < 10; ++i) {
    const std::string id = "r" + std::to_string(i);
    if (i < 4)
      made.recording(id).turns_out("gen=whole", {"TOOL-11", "ANT-06"});
    else
      made.recording(id).turns_out("gen=whole", {"TOOL-11"});
    made.says("TOOL-11", R"(["a"])", R"(["a","b"])");
  }
  EXPECT_THAT(ids(made.causes()), UnorderedElementsAre("TOOL-11", "ANT-06"));
}

TEST(SameFault, KindsThatChangeTheContentDifferentlyAreTwoCauses) {
  for (const bool changed : {true, false}) {
    SCOPED_TRACE(changed);
    Made made;
    made.rule("END-05", true).compares("CHT-14").sound(120).knows(kTexts);
    for (int i = 0; i < 11; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole", i < 10 && changed ? std::set<std::string>{"END-05", "CHT-14"}
                                                    : std::set<std::string>{"END-05"});
      if (i < 10 && changed) made.says("CHT-14", R"("[error] full")", R"("Ebb")");
      made.says("END-05", "false", "true");
      if (i < 10) made.symptom("END-05").place.event = 2;
    }
    std::size_t kinds = 0;
    for (const Cause& cause : made.causes()) kinds += cause.rule->id == "END-05" ? 1 : 0;
    EXPECT_EQ(kinds, changed ? 2U : 1U);
  }
}

TEST(SameFault, ContentThatIsWrongOnlyWithinAShapeIsPartOfIt) {
  for (const bool within : {true, false}) {
    SCOPED_TRACE(within);
    Made made;
    made.compares("END-05", true).compares("CHT-14").sound(120).knows(kTexts);
    for (int i = 0; i < 11; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole",
                     i < 7 ? std::set<std::string>{"END-05", "CHT-14"} : std::set<std::string>{"END-05"});
      if (i < 7) made.says("CHT-14", R"("[error] full")", R"("Ebb")");
      made.says("END-05", "false", "true").symptom("END-05").place.event = 2;
    }
    if (!within)
      for (int i = 0; i < 5; ++i)
        made.recording("s" + std::to_string(i))
            .turns_out("gen=whole", {"CHT-14"})
            .says("CHT-14", R"("[error] full")", R"("Ebb")");
    EXPECT_THAT(ids(made.causes()), SizeIs(within ? 1 : 2));
  }
}

TEST(SameFault, RulesAtOnePlaceOfTheSameCasesAreOneCause) {
  struct Row {
    const char* what;
    std::size_t event;  // of the second rule; the first one has event 2
    int apart;          // recordings that violate only the second rule
    int sound;
    std::size_t causes;
  };
  for (const auto& [what, event, apart, sound, causes] :
       {Row{"one place", 2, 0, 90, 1}, Row{"other places", 3, 0, 90, 2}, Row{"other cases", 2, 4, 90, 2},
        Row{"a widespread fault", 2, 0, 20, 2}}) {
    SCOPED_TRACE(what);
    Made made;
    made.compares("THK-11", true)
        .compares("END-17", true)
        .sound(static_cast<std::size_t>(sound))
        .knows(kTexts);
    for (int i = 0; i < 6 + apart; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole",
                     i < 6 ? std::set<std::string>{"THK-11", "END-17"} : std::set<std::string>{"END-17"});
      if (i < 6) made.says("THK-11", "[]", R"(["thinking"])").symptom("THK-11").place = {2, 10, 20};
      made.says("END-17", "false", "true").symptom("END-17").place = {event, event * 5, event * 10};
    }
    EXPECT_THAT(made.causes(), SizeIs(causes));
  }
}

TEST(SameFault, ErrorOfFormWithTheValueOfAnotherCauseIsPartOfIt) {
  for (const char* found : {"-1", "absent"}) {
    SCOPED_TRACE(found);
    Made made;
    made.compares("LOSS-01", true).rule("CHT-03").sound(80).knows(kTexts);
    for (const char* id : {"a", "b", "c", "d"}) {
      made.recording(id).turns_out("gen=whole", {"LOSS-01", "CHT-03"});
      made.says("LOSS-01", R"(["read"])", "[]").says("CHT-03", found, "an integer of at least 0");
    }
    for (const char* id : {"e", "f"})
      made.recording(id).turns_out("gen=whole", {"CHT-03"}).says("CHT-03", found, "an integer of at least 0");
    EXPECT_THAT(ids(made.causes()), SizeIs(std::string(found) == "-1" ? 1 : 2));
  }
}

// Failures that end as a success, and after them some without an end. In `lacking` answers no end is ever sent.
std::vector<std::string> kinds_of_failures(int ended, int open, int lacking) {
  Made made;
  made.rule("END-05", true).orders("ANT-02").sound(120).knows(kTexts);
  for (int i = 0; i < ended + open; ++i) {
    const bool is_open = i >= ended;
    made.recording("r" + std::to_string(i));
    made.turns_out("gen=whole",
                   is_open ? std::set<std::string>{"END-05", "ANT-02"} : std::set<std::string>{"END-05"});
    made.says("END-05", "false", "true");
    if (!is_open) made.symptom("END-05").place.event = 2;
  }
  for (int i = 0; i < lacking; ++i)
    made.recording("l" + std::to_string(i)).turns_out("gen=whole", {"ANT-02"});
  std::vector<std::string> kinds;
  for (const Cause& cause : made.causes())
    if (cause.rule->id == "END-05") kinds.push_back(cause.kind);
  return kinds;
}

TEST(SameFault, EndThatIsMissingForAnotherReasonIsNoKind) {
  EXPECT_THAT(kinds_of_failures(9, 4, 6), UnorderedElementsAre("ended"));
  EXPECT_THAT(kinds_of_failures(9, 4, 0), UnorderedElementsAre("ended", "open"));
}

TEST(SameFault, ClausesOfAFailureAreSeveralCauses) {
  Made made;
  made.rule("END-05", true).sound(40).knows(kTexts);
  for (int i = 0; i < 10; ++i) {
    made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"END-05"});
    made.says("END-05", "false", "true", i == 0 ? 1 : 0).symptom("END-05").place.event = 2;
  }
  EXPECT_THAT(made.causes(), SizeIs(2));
}

TEST(SameFault, EmptyBodyWithinARareShapeIsPartOfIt) {
  Made made;
  made.compares("END-18", true).rule("TRN-02").sound(60).knows(kTexts);
  for (const char* id : {"a", "b", "c"})
    made.recording(id).turns_out("gen=whole", {"END-18"}).says("END-18", "false", "true");
  made.recording("d").turns_out("gen=whole", {"END-18", "TRN-02"}).says("END-18", "false", "true");
  EXPECT_THAT(ids(made.causes()), UnorderedElementsAre("END-18"));
}

// Joins one cause for each rule and kind.
std::vector<Cause> join_candidates(const Made& made) {
  std::vector<const results::RecordingResult*> all;
  FindingRows findings;
  for (const results::RecordingResult& result : made.results) {
    all.push_back(&result);
    for (const results::Row& row : result.rows)
      if (row.verdict == contract::Verdict::violated) findings.emplace(&row, &result);
  }
  const ViolationKinds kinds(all, made.rules(), false);
  const std::vector<BehaviourSample> items = samples_of(all, kinds, false);
  SamplesOf samples;
  for (const BehaviourSample& item : items)
    if (!item.shows.empty()) samples[item.in].push_back(&item);
  std::vector<Cause> causes = made.candidates();
  std::set<const results::Row*> doubtful;
  join_same_faults(causes, doubtful, findings, samples, all.size(), items);
  return causes;
}

TEST(SameFault, LossesOfTheSameRareAnswersAreOneCause) {
  struct Row {
    const char* what;
    const char* other;  // a rule that the answers violate besides ANT-20
    int apart;          // recordings that violate only the other rule
    int sound;
    std::size_t causes;
  };
  for (const auto& [what, other, apart, sound, causes] :
       {Row{"one set", "THK-01", 0, 60, 1}, Row{"another set", "THK-01", 2, 60, 2},
        Row{"no loss of content", "STOP-02", 0, 60, 2}, Row{"a widespread fault", "THK-01", 0, 20, 2}}) {
    SCOPED_TRACE(what);
    Made made;
    made.compares("ANT-20").compares(other).sound(static_cast<std::size_t>(sound));
    for (int i = 0; i < 3 + apart; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole",
                     i < 3 ? std::set<std::string>{"ANT-20", other} : std::set<std::string>{other});
    }
    EXPECT_THAT(ids(join_candidates(made)), SizeIs(causes));
  }
}

// Answers that end for a reason, which is sent as another one. `read`: some answers with it are right.
Made reasons(bool read, const std::string& filtered) {
  Made made;
  made.compares("STOP-02").compares("STOP-03", true).follows("STOP-02", "STOP-03").sound(40).knows(kTexts);
  for (int i = 0; i < 8; ++i) {
    made.recording("limit" + std::to_string(i));
    if (read && i % 2 == 0)
      made.turns_out("gen=whole", {}, std::set<std::string>{"STOP-02"});
    else
      made.turns_out("gen=whole", {"STOP-02"}, std::set<std::string>{})
          .says("STOP-02", R"("end_turn")", R"("full")");
    made.shaped({"limit"});
  }
  for (const char* id : {"a", "b"}) {
    made.recording(id).turns_out("gen=whole", {"STOP-02", "STOP-03"}).shaped({"filter"});
    made.says("STOP-02", filtered, R"("refusal")").says("STOP-03", filtered, R"("refusal")");
  }
  return made;
}

TEST(SameFault, ReasonThatIsNeverReadIsOneCauseOfTheGraverStake) {
  const auto causes = reasons(false, R"("end_turn")").causes();
  ASSERT_THAT(ids(causes), testing::ElementsAre("STOP-02"));
  EXPECT_THAT(below(causes[0]), testing::ElementsAre("STOP-03"));
  EXPECT_EQ(causes[0].stake, Stake::failure);
}

TEST(SameFault, ReasonThatIsOftenReadOrHasAnotherValueIsApart) {
  EXPECT_THAT(ids(reasons(true, R"("end_turn")").causes()), UnorderedElementsAre("STOP-02", "STOP-03"));
  EXPECT_THAT(ids(reasons(false, R"("tool_use")").causes()), UnorderedElementsAre("STOP-02", "STOP-03"));
}

TEST(SameFault, FormThatNearlyOnlyBreaksWithinAShapeIsPartOfIt) {
  for (const int without : {1, 2}) {
    SCOPED_TRACE(without);
    Made made;
    made.compares("TOOL-11", true).rule("ANT-06").sound(90).knows(kTexts);
    for (int i = 0; i < 6; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole",
                     i < 4 ? std::set<std::string>{"TOOL-11", "ANT-06"} : std::set<std::string>{"TOOL-11"});
      made.says("TOOL-11", R"(["a"])", R"(["a","b"])");
    }
    for (int i = 0; i < without; ++i)
      made.recording("s" + std::to_string(i)).turns_out("gen=whole", {"ANT-06"});
    EXPECT_THAT(join_candidates(made), SizeIs(without == 1 ? 1 : 2));
  }
}

TEST(SameFault, ViolationAlwaysAtThePlaceOfAGeneralOneIsPartOfIt) {
  struct Row {
    const char* what;
    std::size_t event;  // of the general rule; the first one has event 2
    bool of_a_shape;    // the second rule
    std::size_t causes;
  };
  for (const auto& [what, event, of_a_shape, causes] :
       {Row{"one place", 2, false, 1}, Row{"other places", 3, false, 2},
        Row{"no general rule", 2, true, 2}}) {
    SCOPED_TRACE(what);
    Made made;
    made.rule("RET-18", true)
        .of_requests("RET-18")
        .rule("REQ-56", of_a_shape)
        .of_requests("REQ-56")
        .sound(200);
    for (int i = 0; i < 16; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole",
                     i < 6 ? std::set<std::string>{"RET-18", "REQ-56"} : std::set<std::string>{"REQ-56"});
      if (i < 6) made.says("RET-18", R"("uncalled")", R"("asked")").symptom("RET-18").place = {2, 10, 20};
      made.says("REQ-56", "503", "400").symptom("REQ-56").place = {event, event * 5, event * 10};
    }
    EXPECT_THAT(join_candidates(made), SizeIs(causes));
  }
}

}  // namespace
}  // namespace splitproof::cause::same_fault_test
