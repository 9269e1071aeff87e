#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "made.hpp"

namespace splitproof::cause::cause_test {
namespace {

using contract::Level;
using contract::Obligation;
using contract::Verdict;
using results::RecordingResult;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Causes, ConformingCampaignHasNoCauses) {
  Made made;
  made.rule("A").sound(3);
  EXPECT_THAT(made.causes(), IsEmpty());
  EXPECT_THAT(causes_of({}, {}, {}, false), IsEmpty());
}

TEST(Causes, ConsequenceByItsContractIsBelowItsCause) {
  Made made;
  made.rule("GENERAL", false, {"SPECIAL"}).rule("SPECIAL");
  made.recording("a").turns_out("gen=whole", {"GENERAL", "SPECIAL"});
  made.recording("b").turns_out("gen=whole", {"GENERAL"});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("GENERAL", "SPECIAL"));
  EXPECT_EQ(causes[0].in->recording.id, "b");
  EXPECT_THAT(below(causes[1]), ElementsAre("GENERAL"));
}

TEST(Causes, RulesThatFollowEachOtherAreOneStatement) {
  for (const bool mutual : {false, true}) {
    SCOPED_TRACE(mutual);
    Made made;
    made.rule("STATED", false, {"CASE"});
    made.rule("CASE", true, mutual ? std::vector<std::string>{"STATED"} : std::vector<std::string>{});
    made.sound(10);
    for (const char* id : {"a", "b"})
      made.recording(id).turns_out("gen=whole", {"STATED"}, std::set<std::string>{});
    made.recording("c").turns_out("gen=whole", {"STATED", "CASE"}).says("STATED", "", "", 1);
    const auto causes = made.causes();
    if (!mutual) {
      EXPECT_THAT(ids(causes), ElementsAre("STATED", "CASE"));
      continue;
    }
    ASSERT_THAT(ids(causes), ElementsAre("STATED"));
    EXPECT_EQ(causes[0].recordings(), 3U);
    EXPECT_THAT(below(causes[0]), ElementsAre("CASE"));
  }
}

TEST(Causes, RuleAboutAShapeWinsIfTwoRulesStateTheSame) {
  Made made;
  made.rule("STATED", false, {"CASE"}).rule("CASE", true, {"STATED"});
  made.sound(10);
  made.recording("a").turns_out("gen=whole", {"STATED", "CASE"});
  made.recording("b").turns_out("gen=whole", {"STATED", "CASE"});
  EXPECT_THAT(ids(made.causes()), ElementsAre("CASE"));
}

TEST(Causes, ConsequenceInARecutIsNotNewIfTheCauseIsEverywhere) {
  for (const bool follows : {false, true}) {
    SCOPED_TRACE(follows);
    Made made;
    made.rule("TWICE").compares("RUN");
    if (follows) made.follows("RUN", "TWICE");
    for (int i = 0; i < 25; ++i)
      made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"TWICE"}, std::set<std::string>{});
    made.turns_out("recut=call:in.a&gen=whole", {"TWICE", "RUN"});
    const auto causes = made.causes();
    EXPECT_EQ(causes.size(), follows ? 1U : 2U);
    if (follows) {
      EXPECT_THAT(below(causes[0]), ElementsAre("RUN"));
    }
  }
}

TEST(Causes, RulesThatAreAlwaysViolatedTogetherAreOneCause) {
  Made made;
  made.rule("LOST").rule("LATE", true).rule("OTHER");
  made.sound(10);
  for (const char* id : {"a", "b", "c"}) made.recording(id).turns_out("gen=whole", {"LOST", "LATE"});
  made.recording("d").turns_out("gen=whole", {"OTHER"});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("LATE", "OTHER"));
  EXPECT_EQ(causes[0].recordings(), 3U);
  EXPECT_EQ(causes[0].own.size(), 6U);
  EXPECT_THAT(below(causes[0]), ElementsAre("LOST"));
}

TEST(Causes, RuleThatAlwaysFailsIsSeparateFromRareFailures) {
  Made made;
  made.rule("ALWAYS").rule("RARE", true).rule("RARE-TOO");
  for (int i = 0; i < 20; ++i) made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"ALWAYS"});
  for (const char* id : {"a", "b", "c"}) made.recording(id).turns_out("gen=whole", {"ALWAYS", "RARE"});
  for (const char* id : {"d", "e"}) made.recording(id).turns_out("gen=whole", {"ALWAYS", "RARE-TOO"});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("ALWAYS", "RARE", "RARE-TOO"));
  EXPECT_EQ(causes[0].recordings(), 25U);
  EXPECT_THAT(below(causes[0]), IsEmpty());
}

TEST(Causes, TwoThatAreEverywhereStayTwo) {
  Made made;
  made.rule("ONE").rule("OTHER");
  for (int i = 0; i < 30; ++i)
    made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"ONE", "OTHER"});
  EXPECT_THAT(ids(made.causes()), ElementsAre("ONE", "OTHER"));
}

TEST(Causes, SingleFindingIsPartOfARareCauseOfItsRecording) {
  Made made;
  made.rule("ALWAYS").rule("ONCE").rule("TWICE");
  for (int i = 0; i < 30; ++i) made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"ALWAYS"});
  made.recording("a").turns_out("gen=whole", {"ALWAYS", "ONCE", "TWICE"});
  made.recording("b").turns_out("gen=whole", {"ALWAYS", "TWICE"});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("ALWAYS", "TWICE"));
  EXPECT_THAT(below(causes[1]), ElementsAre("ONCE"));
}

TEST(Causes, SingleFindingIsKeptIfItsRuleIsViolatedElsewhere) {
  for (const int elsewhere : {1, 3}) {
    SCOPED_TRACE(elsewhere);
    Made made;
    made.rule("ID").rule("TWICE", true);
    made.sound(10);
    for (int i = 0; i < elsewhere; ++i)
      made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"ID"});
    made.recording("a").turns_out("gen=whole", {"ID", "TWICE"}).says("ID", "", "", 1);
    made.recording("b").turns_out("gen=whole", {"TWICE"});
    const auto causes = made.causes();
    ASSERT_EQ(causes.size(), 2U) << "a rule names one cause, by whatever clauses it is violated";
    const Cause& id = causes[causes[0].rule->id == "ID" ? 0 : 1];
    EXPECT_EQ(id.recordings(), elsewhere == 1 ? 1U : 4U);
  }
}

TEST(Causes, SingleFindingsWithACommonUpstreamShapeAreOneCause) {
  for (const bool also_sound : {false, true}) {
    Made made;
    made.rule("ONE", true).rule("OTHER", true);
    made.sound(10);
    made.recording("a").turns_out("gen=whole", {"ONE"}).shaped({"text", "after_finish"});
    made.recording("b").turns_out("gen=whole", {"OTHER"}).shaped({"text", "after_finish"});
    made.recording("c").turns_out("gen=whole", {}).shaped({"text"});
    if (also_sound) made.recording("d").turns_out("gen=whole", {}).shaped({"text", "after_finish"});
    EXPECT_EQ(made.causes().size(), also_sound ? 2U : 1U);
  }
}

TEST(Causes, CharactersThatCannotBeReadAreOneThing) {
  for (const bool garbled : {false, true}) {
    Made made;
    made.rule("TEXT").rule("CALL");
    made.sound(10);
    for (const char* id : {"a", "b"}) {
      made.recording(id).turns_out("gen=whole", {}).turns_out("gen=bytes", {"TEXT"});
      made.says("TEXT", garbled ? "\xef\xbf\xbd\xef\xbf\xbd" : "k", "\xc3\xb6");
    }
    made.recording("c").turns_out("gen=whole", {"CALL"});
    made.says("CALL", garbled ? "\xef\xbf\xbd\xef\xbf\xbd" : "k", "\xc3\xb6");
    EXPECT_EQ(made.causes().size(), garbled ? 1U : 2U);
  }
}

TEST(Causes, FindingsOnRepeatedEventsAreOneCause) {
  for (const bool again : {false, true}) {
    Made made;
    made.rule("STARTED").rule("OPENED");
    for (int i = 0; i < 25; ++i) {
      const std::string body = again ? "start 1 open 0 start 2 open 0 " : "begin 1 open 0 start 2 open 0 ";
      made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"STARTED", "OPENED"});
      made.tells("STARTED", body, 2, 15, 22).tells("OPENED", body, 3, 23, 29);
    }
    EXPECT_EQ(made.causes().size(), again ? 1U : 2U);
  }
}

TEST(Causes, SecondTurnRequestIsBelowTheAnswerThatItRepeats) {
  for (const bool follows : {false, true}) {
    SCOPED_TRACE(follows);
    Made made;
    made.rule("ID-TOLD").rule("ID-ASKED").of_requests("ID-ASKED").sound(10);
    if (follows) made.follows("ID-ASKED", "ID-TOLD");
    for (const char* id : {"a", "b"})
      made.recording(id).turns_out("gen=whole", {"ID-TOLD"}).turns_out("turn=2", {"ID-ASKED"});
    const auto causes = made.causes();
    if (!follows) {
      EXPECT_THAT(ids(causes), ElementsAre("ID-TOLD", "ID-ASKED"));
      continue;
    }
    ASSERT_THAT(ids(causes), ElementsAre("ID-TOLD"));
    EXPECT_THAT(below(causes[0]), ElementsAre("ID-ASKED"));
    EXPECT_EQ(causes[0].own.size(), 4U);
    EXPECT_EQ(causes[0].recordings(), 2U);
  }
}

TEST(Causes, RequestFindingWithoutABadAnswerBeforeIsItsOwnCause) {
  Made made;
  made.rule("ID-TOLD").rule("ID-ASKED").of_requests("ID-ASKED").follows("ID-ASKED", "ID-TOLD").sound(10);
  made.recording("told").turns_out("gen=whole", {"ID-TOLD"}).turns_out("turn=2", {"ID-ASKED"});
  made.recording("first").turns_out("gen=whole", {"ID-TOLD", "ID-ASKED"}).turns_out("turn=2", {"ID-ASKED"});
  made.recording("sound").turns_out("gen=whole", {}).turns_out("turn=2", {"ID-ASKED"});
  const auto causes = made.causes();
  ASSERT_THAT(ids(causes), ElementsAre("ID-TOLD", "ID-ASKED"));
  EXPECT_EQ(causes[0].own.size(), 3U);
  EXPECT_EQ(causes[1].own.size(), 2U);
  EXPECT_EQ(causes[1].recordings(), 2U);
}

TEST(Causes, RecutCountsOnlyNewFindingsAsOneCause) {
  Made made;
  made.rule("OLD").rule("NEW").rule("NEW-TOO");
  made.sound(10);
  for (const char* id : {"a", "b", "c"}) {
    made.recording(id).turns_out("gen=whole", {"OLD"});
    made.turns_out("recut=call:ia.n&gen=whole", {"OLD", "NEW"});
  }
  made.recording("d").turns_out("gen=whole", {});
  made.turns_out("recut=call:ia.n&gen=whole", {"NEW", "NEW-TOO"});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("OLD", "NEW"));
  EXPECT_EQ(causes[0].ordinary(), 3U);
  EXPECT_EQ(causes[1].ordinary(), 0U);
  EXPECT_EQ(causes[1].recordings(), 4U);
  EXPECT_THAT(below(causes[1]), ElementsAre("NEW-TOO"));
  EXPECT_TRUE(causes[1].occurrences.front().recut == "call:ia.n");
}

TEST(Causes, CutCaseIsRecognised) {
  Made made;
  made.rule("TORN");
  made.recording("a").turns_out("gen=whole", {}).turns_out("gen=bytes", {"TORN"});
  const auto causes = made.causes();
  ASSERT_THAT(ids(causes), ElementsAre("TORN"));
  EXPECT_TRUE(causes[0].occurrences.front().cut);
  EXPECT_EQ(causes[0].ordinary(), 1U);
}

TEST(Causes, ToDifferFromAWrongAnswerIsNoNews) {
  Made made;
  made.rule("WRONG").rule("META-04");
  made.recording("a").turns_out("gen=whole", {"WRONG"}).turns_out("recut=char&gen=whole", {"META-04"});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("WRONG"));
  EXPECT_EQ(causes[0].own.size(), 2U);
  Made right;
  right.rule("WRONG").rule("META-04");
  right.recording("a").turns_out("gen=whole", {}).turns_out("recut=char&gen=whole", {"META-04"});
  EXPECT_THAT(ids(right.causes()), ElementsAre("META-04"));
}

TEST(Causes, DifferenceIsBelowTheViolationInTheSameCases) {
  Made made;
  made.rule("USE-05").rule("ANT-07").rule("META-04");
  for (const char* id : {"a", "b", "c"})
    made.recording(id).turns_out("gen=whole", {"USE-05", "META-04"}).turns_out("gen=bytes", {});
  // A fault in every case of a recording is not the reason why one case differs.
  for (const char* id : {"d", "e", "f", "g", "h"}) {
    made.recording(id)
        .turns_out("gen=whole", {"USE-05", "ANT-07", "META-04"})
        .turns_out("gen=bytes", {"ANT-07"});
  }
  for (const char* id : {"i", "j"})
    made.recording(id).turns_out("gen=whole", {"ANT-07"}).turns_out("gen=bytes", {"ANT-07", "META-04"});
  made.sound(20);
  for (const Cause& cause : made.causes()) {
    const bool is_greater = cause.rule->id == "USE-05";
    const auto differing = std::count_if(cause.own.begin(), cause.own.end(),
                                         [](const results::Row* row) { return row->rule == "META-04"; });
    EXPECT_EQ(differing, is_greater ? 8 : 2) << cause.rule->id;
  }
}

TEST(Causes, WorstForClientsComeFirstThenTheMostOrdinary) {
  Made made;
  made.rule("UNTRIED").rule("ACCEPTED").rule("THROWS").rule("WRONG").rule("WRONG-OFTEN");
  made.clients.programs = {{"sdk", "sdk", "1", "as usual", ""}};
  const auto add = [&](const std::string& id, contract::Reaction reaction) {
    made.clients.streams.push_back({"c", id, id, {{id}}, {{"sdk", reaction, "does so"}}});
  };
  add("ACCEPTED", contract::Reaction::accepts);
  add("THROWS", contract::Reaction::throws);
  add("WRONG", contract::Reaction::wrong);
  add("WRONG-OFTEN", contract::Reaction::wrong);
  int number = 0;
  for (const char* id : {"ACCEPTED", "UNTRIED", "THROWS", "WRONG", "WRONG-OFTEN", "WRONG-OFTEN"})
    made.recording("r" + std::to_string(++number)).turns_out("gen=whole", {id});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("WRONG-OFTEN", "WRONG", "THROWS", "UNTRIED", "ACCEPTED"));
  ASSERT_EQ(causes[0].impacts.size(), 1U);
  EXPECT_EQ(causes[0].impacts[0].says, "does so");
  const auto ready = readiness(causes, "t", "c", made.clients);
  ASSERT_EQ(ready.size(), 1U);
  EXPECT_EQ(ready[0].wrong, 2U);
  EXPECT_EQ(ready[0].throws, 1U);
  EXPECT_EQ(ready[0].untried, 1U);
  EXPECT_THAT(readiness(causes, "t", "another", made.clients), IsEmpty());
  EXPECT_EQ(readiness(causes, "another", "c", made.clients)[0].wrong, 0U);
}

TEST(Causes, RealStreamsComeFirstIfHarmIsEqual) {
  Made made;
  made.rule("INVENTED").rule("RECUT").rule("REAL").rule("HARMS").rule("BOTH").harms("HARMS", "sdk");
  for (const char* id : {"a", "b", "c"})
    made.recording(id).is_invented().turns_out("gen=whole", {"INVENTED"});
  for (const char* id : {"d", "e"})
    made.recording(id).turns_out("gen=whole", {}).turns_out("recut=char&gen=whole", {"RECUT"});
  made.recording("f").turns_out("gen=whole", {"REAL"});
  made.recording("g").is_invented().turns_out("gen=whole", {"HARMS"});
  made.recording("h").is_invented().turns_out("gen=whole", {"BOTH"});
  made.recording("i").turns_out("gen=whole", {"BOTH"});
  EXPECT_THAT(ids(made.causes()), ElementsAre("HARMS", "BOTH", "REAL", "INVENTED", "RECUT"));
}

TEST(Causes, ClientOfARulesHarmIsNotReady) {
  Made made;
  made.rule("HURTS").rule("READ").harms("HURTS", "sdk");
  made.clients.programs = {{"sdk", "sdk", "1", "as usual", ""}};
  made.clients.streams.push_back(
      {"c", "read", "read", {{"READ"}}, {{"sdk", contract::Reaction::accepts, "does so"}}});
  made.recording("r").turns_out("gen=whole", {"HURTS"});
  const auto ready = readiness(made.causes(), "t", "c", made.clients);
  ASSERT_EQ(ready.size(), 1U);
  EXPECT_EQ(ready[0].hurt, 1U);
  EXPECT_EQ(ready[0].untried, 0U);
}

TEST(Causes, ImpactComesFromTheMostSimilarStream) {
  Made made;
  made.rule("LOST").rule("STOPPED", false, {"LOST"}).rule("ELSE");
  made.clients.programs = {{"sdk", "sdk", "1", "as usual", ""}};
  made.clients.streams = {
      {"c", "one", "one", {{"LOST"}}, {{"sdk", contract::Reaction::accepts, "alone"}}},
      {"c", "two", "two", {{"LOST"}, {"STOPPED"}}, {{"sdk", contract::Reaction::throws, "both"}}},
      {"c", "more", "more", {{"LOST"}, {"STOPPED"}, {"ELSE"}}, {{"sdk", contract::Reaction::wrong, "more"}}},
      {"other", "o", "o", {{"LOST"}, {"STOPPED"}}, {{"sdk", contract::Reaction::wrong, "elsewhere"}}}};
  made.recording("a").turns_out("gen=whole", {"LOST", "STOPPED"});
  const auto causes = made.causes();
  ASSERT_EQ(causes.size(), 1U);
  ASSERT_EQ(causes[0].impacts.size(), 1U);
  EXPECT_EQ(causes[0].impacts[0].says, "both");
}

// A rule can be violated in several ways. A client's reaction to one of them does not prove its reaction to another.
TEST(Causes, ReactionToAnotherViolationOfTheRuleIsNoImpact) {
  Made made;
  made.rule("ENDS").rule("BESIDE");
  made.clients.programs = {{"sdk", "sdk", "1", "as usual", ""}};
  made.clients.streams = {
      {"c", "none", "none", {{"ENDS", "no end"}}, {{"sdk", contract::Reaction::wrong, "waits"}}},
      {"c",
       "with",
       "with",
       {{"ENDS", "two * ends"}, {"BESIDE"}},
       {{"sdk", contract::Reaction::throws, "both"}}},
      {"c",
       "two",
       "two",
       {{"ENDS", "two * ends"}},
       {{"sdk", contract::Reaction::accepts, "reads the first"}}},
      {"d", "other", "other", {{"ENDS"}}, {{"sdk", contract::Reaction::wrong, "elsewhere"}}}};
  const auto impact = [&](const std::string& message) {
    made.results.clear();
    made.recording("a").turns_out("gen=whole", {"ENDS"});
    made.symptom("ENDS").message = message;
    made.row("ENDS").first->message = message;
    const auto causes = made.causes();
    return causes.front().impacts.empty() ? "" : causes.front().impacts.front().says;
  };
  EXPECT_EQ(impact("two equal ends, at event 3"), "reads the first");
  EXPECT_EQ(impact("no end came"), "waits");
  EXPECT_EQ(impact("the end comes early"), "");
}

TEST(Causes, ExpectedOrAdvisoryFindingsAreNoCause) {
  Made made;
  made.rule("KNOWN").rule("ADVICE");
  made.recording("a").turns_out("gen=whole", {"KNOWN", "ADVICE"});
  made.row("KNOWN").expectation.emplace();
  for (results::Symptom& symptom : made.results.back().behaviours.back().symptoms)
    if (symptom.rule == "ADVICE") symptom.level = Level::should;
  made.row("ADVICE").level = Level::should;
  EXPECT_THAT(made.causes(), IsEmpty());
  EXPECT_THAT(ids(made.causes(true)), ElementsAre("ADVICE"));
}

TEST(Causes, FindingWithoutACaseIsItsOwnCause) {
  Made made;
  made.rule("CRASHED").rule("A");
  made.recording("a").turns_out("gen=whole", {"A"});
  results::Row& row = made.row("CRASHED");
  row.verdict = Verdict::violated;
  row.violating = 1;
  row.first.emplace().alone = false;
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("CRASHED", "A"));
  EXPECT_FALSE(causes[0].shown.alone);
}

TEST(Causes, TargetsAreApart) {
  Made made;
  made.rule("A");
  made.recording("a", "one").turns_out("gen=whole", {"A"});
  made.recording("a", "two").turns_out("gen=whole", {"A"});
  const auto causes = made.causes();
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].target, "one");
  EXPECT_EQ(causes[1].target, "two");
}

TEST(Causes, EachFindingHasOneCauseAndEachCauseItsOwnName) {
  std::mt19937 random(7);
  const std::vector<std::string> how = {
      "gen=whole",      "gen=recorded", "gen=bytes", "recut=char&gen=whole", "recut=call:n.i.a&gen=whole",
      "fault=flip@3:80"};
  for (int campaign = 0; campaign < 300; ++campaign) {
    SCOPED_TRACE(campaign);
    Made made;
    const std::vector<std::string> rules = {"A", "B", "C", "D", "E", "META-04"};
    for (const std::string& id : rules) {
      std::vector<std::string> follows;
      if (id == "B" && random() % 2 == 0) follows = {"A"};
      if (id == "D" && random() % 2 == 0) follows = {"B", "C"};
      made.rule(id, random() % 2 == 0, follows);
    }
    const std::size_t recordings = 1 + random() % 12;
    for (std::size_t i = 0; i < recordings; ++i) {
      made.recording("r" + std::to_string(i));
      for (const std::string& one : how) {
        if (random() % 3 == 0) continue;
        std::set<std::string> violates;
        for (const std::string& id : rules)
          if (random() % 3 == 0) violates.insert(id);
        made.turns_out(one, violates, {}, 1 + random() % 5);
        if (random() % 2 == 0) made.shaped({std::string(1, static_cast<char>('s' + random() % 3))});
        if (!violates.empty() && random() % 2 == 0)
          made.says(*violates.begin(), random() % 2 == 0 ? R"(["tool_0"])" : R"(["tool_1"])", "[]");
      }
      if (random() % 8 == 0) made.row("C").expectation.emplace();
    }
    const auto causes = made.causes();
    std::size_t findings = 0;
    for (const RecordingResult& result : made.results)
      for (const results::Row& row : result.rows)
        findings += row.verdict == Verdict::violated && !row.expectation ? 1 : 0;
    std::size_t told = 0;
    std::set<std::string> distinct;
    for (const Cause& cause : causes) {
      told += cause.own.size();
      EXPECT_FALSE(cause.occurrences.empty());
      EXPECT_GT(cause.own.size(), 0U);
      EXPECT_TRUE(distinct.insert(cause.name()).second) << cause.name();
      EXPECT_EQ(cause.shown.message.substr(0, cause.rule->id.size()), cause.rule->id);
      std::multiset<const results::Rule*> rules{cause.rule};
      rules.insert(cause.below.begin(), cause.below.end());
      rules.insert(cause.perhaps.begin(), cause.perhaps.end());
      std::set<const results::Rule*> own;
      for (const results::Row* row : cause.own) own.insert(&made.rules().find(row->rule)->second);
      for (const results::Rule* rule : own) EXPECT_EQ(rules.count(rule), 1U) << rule->id;
      for (const results::Row* row : cause.doubtful) EXPECT_TRUE(cause.own.contains(row));
    }
    EXPECT_EQ(told, findings);
    EXPECT_EQ(ids(made.causes()), ids(causes));
  }
}

}  // namespace
}  // namespace splitproof::cause::cause_test
