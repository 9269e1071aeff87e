#include "harness/cause/separate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/cause/kind.hpp"
#include "harness/cause/moved.hpp"
#include "harness/cause/stake.hpp"
#include "made.hpp"

namespace splitproof::cause::separate_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> names(const std::vector<Cause>& causes) {
  std::vector<std::string> all;
  for (const Cause& cause : causes) all.push_back(cause.name());
  return all;
}

TEST(Stake, ClauseMayHaveAnotherStakeThanItsRule) {
  EXPECT_EQ(stake_of("CHT-16", 0), Stake::order);
  EXPECT_EQ(stake_of("CHT-16", 1), Stake::failure);
  EXPECT_EQ(stake_of("HOUSE-01", 0), Stake::form);
  EXPECT_LT(stake_of("RUN-01", 0), stake_of("ANT-20", 0));
}

TEST(SeparateFaults, CausesAreOrderedByStake) {
  Made made;
  const std::vector<std::string> by_stake = {"RUN-01", "ANT-20", "TOOL-13", "USE-05", "SSE-09"};
  for (auto id = by_stake.rbegin(); id != by_stake.rend(); ++id) made.rule(*id);
  made.sound(10);
  for (std::size_t i = 0; i < by_stake.size(); ++i)
    for (std::size_t times = 0; times <= i; ++times)
      made.recording(by_stake[i] + std::to_string(times)).turns_out("gen=whole", {by_stake[i]});
  EXPECT_EQ(ids(made.causes()), by_stake);
}

TEST(SeparateFaults, CrashWithoutACaseIsFirst) {
  Made made;
  made.rule("ANT-20").rule("RUN-01").sound(10);
  made.recording("a").turns_out("gen=whole", {"ANT-20"});
  results::Row& crash = made.row("RUN-01");
  crash.verdict = contract::Verdict::violated;
  crash.violating = 1;
  crash.first.emplace().alone = false;
  EXPECT_THAT(ids(made.causes()), ElementsAre("RUN-01", "ANT-20"));
  EXPECT_TRUE(made.causes()[0].is_unstable());
}

TEST(SeparateFaults, HiddenFailureIsAsGraveAsLostContent) {
  const std::vector<std::string> both = {"ANT-20", "END-01"};
  for (const std::string& frequent : both) {
    Made made;
    for (const std::string& id : both) made.rule(id);
    made.sound(10);
    for (const std::string& id : both) made.recording(id).turns_out("gen=whole", {id});
    made.recording("more").turns_out("gen=whole", {frequent});
    EXPECT_EQ(ids(made.causes()).front(), frequent);
  }
}

TEST(SeparateFaults, GraverFindingIsItsOwnCauseThoughCasesCoincide) {
  for (const std::string grave : {"END-01", "USE-05", "ANT-20"}) {
    SCOPED_TRACE(grave);
    Made made;
    made.rule("SSE-09").rule(grave, true).sound(10);
    made.recording("a").turns_out("gen=whole", {"SSE-09"});
    for (const char* id : {"b", "c"}) made.recording(id).turns_out("gen=whole", {"SSE-09", grave});
    EXPECT_THAT(ids(made.causes()), ElementsAre(grave, "SSE-09"));
  }
}

TEST(SeparateFaults, GraveFindingsOfSeveralStakesAreSeveralCauses) {
  Made made;
  made.rule("ANT-20").rule("END-05").rule("USE-05").sound(10);
  for (const char* id : {"a", "b", "c"})
    made.recording(id).turns_out("gen=whole", {"ANT-20", "END-05", "USE-05"});
  EXPECT_THAT(ids(made.causes()), ElementsAre("ANT-20", "END-05", "USE-05"));
}

TEST(SeparateFaults, FormInTheSameCasesIsBelowLostContent) {
  Made made;
  made.rule("ANT-09").rule("ANT-20").sound(10);
  for (const char* id : {"a", "b", "c"}) made.recording(id).turns_out("gen=whole", {"ANT-09", "ANT-20"});
  const auto causes = made.causes();
  EXPECT_THAT(ids(causes), ElementsAre("ANT-20"));
  EXPECT_THAT(below(causes[0]), ElementsAre("ANT-09"));
}

TEST(SeparateFaults, RuleViolatedInSeveralWaysHasSeveralCauses) {
  Made made;
  made.compares("ANT-20").sound(10);
  for (const char* id : {"a", "b", "c"}) {
    made.recording(id).turns_out("gen=whole", {"ANT-20"});
    made.says("ANT-20", R"("some")", R"("some text")");
  }
  made.recording("d").turns_out("gen=whole", {"ANT-20"});
  made.says("ANT-20", R"("some textsome text")", R"("some text")");
  const auto causes = made.causes();
  EXPECT_THAT(names(causes), ElementsAre("ANT-20:less", "ANT-20:more"));
  EXPECT_EQ(causes[0].own.size(), 3U);
  EXPECT_EQ(causes[1].in->recording.id, "d");
}

TEST(SeparateFaults, ErrorOfTheHttpMessageExplainsNoDifferenceOfContent) {
  for (const bool of_transport : {false, true}) {
    SCOPED_TRACE(of_transport);
    Made made;
    made.rule("TRN-01").compares("META-04").sound(10);
    if (of_transport) made.of_contract("TRN-01", "transport");
    for (const char* id : {"a", "b", "c"}) {
      made.recording(id).turns_out("gen=whole", {"TRN-01"});
      made.turns_out("gen=bytes", {"TRN-01", "META-04"});
    }
    EXPECT_EQ(made.causes().size(), of_transport ? 2U : 1U);
  }
}

TEST(SeparateFaults, ExampleIsNotAnUpstreamThatFails) {
  Made made;
  made.rule("THK-01").sound(10);
  made.recording("failing").turns_out("gen=whole", {"THK-01"}).shaped({"error"});
  made.recording("plain").turns_out("gen=whole", {"THK-01"}).shaped({"text", "thinking"});
  EXPECT_EQ(made.causes().at(0).in->recording.id, "plain");
}

TEST(SeparateFaults, TitleNamesWhatDiffersIfARuleHasSeveralCauses) {
  Made made;
  made.compares("ANT-20").sound(10);
  for (const char* id : {"a", "b", "c"}) {
    made.recording(id).turns_out("gen=whole", {"ANT-20"}).says("ANT-20", R"("some")", R"("some text")");
    made.symptom("ANT-20").message = R"(text sent: "some", expected: "some text")";
  }
  EXPECT_EQ(made.causes().at(0).title(), made.rules().at("ANT-20").headline());
  made.recording("d").turns_out("gen=whole", {"ANT-20"}).says("ANT-20", R"("texttext")", R"("text")");
  made.symptom("ANT-20").message = R"(text sent: "texttext", expected: "text")";
  const auto causes = made.causes();
  EXPECT_EQ(causes.at(0).title(), ": text lost");
  EXPECT_EQ(causes.at(1).title(), ": text added");
}

TEST(Candidates, RuleThatIsBelowAnotherIsACandidate) {
  Made made;
  made.rule("ANT-09").rule("ANT-20").sound(10);
  for (const char* id : {"a", "b", "c"}) made.recording(id).turns_out("gen=whole", {"ANT-09", "ANT-20"});
  EXPECT_THAT(names(made.causes()), ElementsAre("ANT-20"));
  EXPECT_THAT(ids(made.candidates()), UnorderedElementsAre("ANT-09", "ANT-20"));
}

TEST(Candidates, EachKindOfARuleHasItsCase) {
  Made made;
  made.compares("ANT-20").sound(10);
  made.recording("a").turns_out("gen=whole", {"ANT-20"}).says("ANT-20", R"("some")", R"("some text")");
  made.recording("b").turns_out("gen=whole", {"ANT-20"}).says("ANT-20", R"("texttext")", R"("text")");
  std::set<std::string> shown;
  for (const Cause& cause : made.candidates()) shown.insert(cause.in->recording.id);
  EXPECT_THAT(shown, ElementsAre("a", "b"));
}

TEST(SeparateFaults, FailureThatEndsWellIsApartFromOneWithoutAnEnd) {
  Made made;
  made.rule("END-01", true).sound(10);
  for (const char* id : {"a", "b"}) {
    made.recording(id).turns_out("gen=whole", {"END-01"}).says("END-01", "false", "true");
    made.symptom("END-01").place.event = 3;
  }
  made.recording("c").turns_out("gen=whole", {"END-01"}).says("END-01", "false", "true");
  EXPECT_THAT(names(made.causes()), UnorderedElementsAre("END-01:ended", "END-01:open"));
}

TEST(SeparateFaults, FormRuleHasOneCause) {
  Made made;
  made.rule("ANT-15").sound(10);
  made.recording("a").turns_out("gen=whole", {"ANT-15"}).says("ANT-15", "", "", 1);
  made.recording("b").turns_out("gen=whole", {"ANT-15"}).says("ANT-15", "", "", 2);
  EXPECT_THAT(names(made.causes()), ElementsAre("ANT-15"));
}

TEST(SeparateFaults, ExampleIsThePlainestRecording) {
  Made made;
  made.rule("ANT-20").sound(10);
  made.recording("odd").turns_out("gen=whole", {"ANT-20"}).shaped({"crlf", "think_tag"});
  made.recording("invented").turns_out("gen=whole", {"ANT-20"}).is_invented();
  made.recording("plain").turns_out("gen=whole", {"ANT-20"}).shaped({"text"});
  EXPECT_EQ(made.causes().at(0).in->recording.id, "plain");
}

// No cause hides a graver finding, and no grave finding is merely a possible part of one.
TEST(SeparateFaults, NoCauseHidesAGraverFinding) {
  std::mt19937 random(11);
  const std::vector<std::string> rules = {"ANT-20",  "THK-01", "END-01", "END-05", "USE-05",
                                          "TOOL-13", "SSE-09", "ANT-09", "META-04"};
  const std::vector<std::string> how = {"gen=whole", "gen=bytes", "recut=char&gen=whole", "fault=flip@3:80"};
  for (int campaign = 0; campaign < 300; ++campaign) {
    SCOPED_TRACE(campaign);
    Made made;
    for (const std::string& id : rules) made.rule(id, random() % 2 == 0);
    const std::size_t recordings = 1 + random() % 30;
    for (std::size_t i = 0; i < recordings; ++i) {
      made.recording("r" + std::to_string(i));
      for (const std::string& one : how) {
        std::set<std::string> violates;
        for (const std::string& id : rules)
          if (random() % 4 == 0) violates.insert(id);
        made.turns_out(one, violates);
      }
    }
    std::set<std::string> distinct;
    for (const Cause& cause : made.causes()) {
      EXPECT_TRUE(distinct.insert(cause.rule->id + ":" + cause.kind).second) << cause.name();
      for (const results::Rule* rule : cause.below) {
        const bool is_lighter = rule->id == "META-04" || stake_of(rule->id, 0) >= cause.stake;
        EXPECT_TRUE(is_lighter) << cause.name() << " " << rule->id;
      }
      for (const results::Rule* rule : cause.perhaps) {
        EXPECT_FALSE(rule->of_a_shape && is_grave(stake_of(rule->id, 0))) << cause.name() << " " << rule->id;
      }
    }
  }
}

TEST(SeparateFaults, ExampleShowsTheMostFrequentDifference) {
  Made made;
  made.rule("CHT-01").sound(20);
  for (const char* id : {"a", "b", "c"}) {
    made.recording(id).turns_out("gen=whole", {"CHT-01"});
    made.symptom("CHT-01").violation.field = std::string(id) == "a" ? "/model" : "/created";
  }
  const std::vector<Cause> causes = made.causes();
  ASSERT_THAT(ids(causes), ElementsAre("CHT-01"));
  EXPECT_EQ(causes[0].in->recording.id, "b");
}

// Returns whether the second violation has what the first one lacks.
bool moves(const std::string& found, const std::string& wanted, const std::string& other_found,
           const std::string& other_wanted) {
  contract::Violation lost;
  lost.found = found;
  lost.wanted = wanted;
  contract::Violation gained;
  gained.found = other_found;
  gained.wanted = other_wanted;
  return is_moved(lost, gained);
}

TEST(IsMoved, ComparesOnlyWhatIsMissingWithWhatIsAdded) {
  EXPECT_TRUE(moves(R"("")", R"("Ebb.")", R"("Ebb.Sail.")", R"("Sail.")"));
  EXPECT_TRUE(moves(R"("Sail.")", R"("<b>Ebb.</b>Sail.")", R"("Ebb.")", R"("")"));
  EXPECT_FALSE(moves(R"("Ebb.")", R"("Ebb.Flow.")", R"("Ebb.Sail.")", R"("Sail.")"));
  EXPECT_FALSE(moves(R"("")", R"("Eb")", R"("EbSail.")", R"("Sail.")"));
  EXPECT_FALSE(moves(R"("Ebb.")", R"("Ebb.")", R"("Ebb.")", R"("Ebb.")"));
}

TEST(SeparateFaults, ContentInAnotherPartIsApartFromLostContent) {
  for (const bool moved : {true, false}) {
    SCOPED_TRACE(moved);
    Made made;
    made.compares("THK-01").compares("ANT-20").sound(30);
    for (const char* id : {"a", "b", "c"})
      made.recording(id).turns_out("gen=whole", {"THK-01"}).says("THK-01", R"("")", R"("Which tide?")");
    for (const char* id : {"d", "e"}) {
      made.recording(id)
          .turns_out("gen=whole", {"THK-01", "ANT-20"})
          .says("THK-01", R"("")", R"("Ebb now.")");
      made.says("ANT-20", moved ? R"("Ebb now.Sail.")" : R"("Full.Sail.")", R"("Sail.")");
    }
    if (moved) {
      EXPECT_THAT(names(made.causes()), UnorderedElementsAre("THK-01:less", "THK-01:moved"));
    } else {
      EXPECT_THAT(names(made.causes()), testing::Not(Contains("THK-01:moved")));
    }
  }
}

TEST(SeparateFaults, AnswersInOnePieceThatDifferInOtherPartsAreSeveralCauses) {
  Made made;
  made.rule("META-01").sound(10);
  for (const char* part : {"finish", "usage", "text", "thinking"}) {
    made.recording(part).turns_out("turn=whole", {"META-01"});
    made.symptom("META-01").violation.found =
        "in one piece, " + std::string(part) + R"( is "1", and in the stream it is "2")";
  }
  const auto causes = made.causes();
  EXPECT_THAT(names(causes), UnorderedElementsAre("META-01:content", "META-01:finish", "META-01:usage"));
  EXPECT_EQ(named(causes, "META-01").title(), ": " + named(causes, "META-01").kind);
}

TEST(SeparateFaults, MissingMemberIsApartFromAWrongOne) {
  Made made;
  made.rule("TOOL-02").sound(10);
  for (const char* id : {"a", "b"})
    made.recording(id)
        .turns_out("gen=whole", {"TOOL-02"})
        .says("TOOL-02", "absent", "a string that matches [a-z]+");
  made.recording("c")
      .turns_out("gen=whole", {"TOOL-02"})
      .says("TOOL-02", "7", "a string that matches [a-z]+");
  EXPECT_THAT(names(made.causes()), UnorderedElementsAre("TOOL-02:less", "TOOL-02:other"));
}

TEST(SeparateFaults, WrongEventIsApartFromAWrongValue) {
  Made made;
  made.compares("RSP-06").sound(10);
  for (const char* id : {"a", "b"}) {
    made.recording(id).turns_out("gen=whole", {"RSP-06"}).says("RSP-06", "", "", 8);
    made.symptom("RSP-06").place.event = 4;
  }
  made.recording("c").turns_out("gen=whole", {"RSP-06"}).says("RSP-06", R"("Ebb")", R"("Ebb and")", 8);
  EXPECT_THAT(names(made.causes()), UnorderedElementsAre("RSP-06:9-form", "RSP-06:9-less"));
}

TEST(SeparateFaults, TenthThatSeemsLostIsNotApartFromContentInAnotherPart) {
  for (const int lost : {1, 2}) {
    SCOPED_TRACE(lost);
    Made made;
    made.compares("THK-01").compares("ANT-20").sound(60);
    for (int i = 0; i < 9; ++i) {
      made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"THK-01", "ANT-20"});
      made.says("THK-01", R"("")", R"("Ebb now.")").says("ANT-20", R"("Ebb now.Sail.")", R"("Sail.")");
    }
    for (int i = 0; i < lost; ++i) {
      made.recording("s" + std::to_string(i)).turns_out("gen=whole", {"THK-01"});
      made.says("THK-01", R"("")", R"("Which tide?")");
    }
    EXPECT_EQ(names(made.causes()).size(), lost == 1 ? 1U : 2U);
  }
}

TEST(SeparateFaults, CompleteAnswerThatFailsIsApartFromAWrongReason) {
  Made made;
  made.compares("CHT-16").sound(30);
  for (const char* id : {"a", "b"})
    made.recording(id).turns_out("gen=whole", {"CHT-16"}).says("CHT-16", R"("stop")", R"("length")");
  made.recording("c").turns_out("gen=whole", {"CHT-16"}).says("CHT-16", "true", "false", 1);
  EXPECT_THAT(names(made.causes()), UnorderedElementsAre("CHT-16", "CHT-16:2-failed"));
}

TEST(SeparateFaults, RequestThatLacksAPartIsApartFromOneThatLacksAll) {
  for (const bool asks : {true, false}) {
    SCOPED_TRACE(asks);
    Made made;
    made.compares("REQ-46").of_requests("REQ-46").sound(10);
    made.recording("a").turns_out("gen=whole", {"REQ-46"}).says("REQ-46", "[]", R"(["a","b"])");
    made.symptom("REQ-46").of_request = asks;
    made.recording("b").turns_out("gen=whole", {"REQ-46"}).says("REQ-46", R"(["a"])", R"(["a","b"])");
    made.symptom("REQ-46").of_request = asks;
    made.recording("c").turns_out("gen=whole", {"REQ-46"}).says("REQ-46", R"(["a...)", R"(["a","b...)");
    made.symptom("REQ-46").of_request = asks;
    EXPECT_EQ(names(made.causes()).size(), asks ? 2U : 1U);
  }
}

TEST(SeparateFaults, FindingThatCameWithOthersReturnsToItsKind) {
  Made made;
  made.compares("CHT-14").compares("SSE-04", true).rule("CHT-01").sound(60);
  std::vector<Cause> causes;
  for (const char* kind : {"less", "2-less"}) {
    made.recording(kind).turns_out("gen=whole", {"CHT-14"});
    made.says("CHT-14", R"("")", R"("Ebb")", std::string(kind) == "less" ? 0 : 1);
  }
  made.recording("with").turns_out("gen=whole", {"CHT-14", "SSE-04"}).says("CHT-14", R"("")", R"("Ebb")");
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
  for (const BehaviourSample& item : items) samples[item.in].push_back(&item);
  for (const char* kind : {"less", "2-less"}) {
    Cause& cause = causes.emplace_back();
    cause.rule = &made.rules().at("CHT-14");
    cause.kind = kind;
  }
  std::set<const results::Row*> named;
  for (const auto& [row, in] : findings) {
    const std::string& id = in->recording.id;
    causes[id == "less" ? 0 : 1].own.insert(row);
    if (id != "with") named.insert(row);
  }
  return_to_kinds(causes, named, findings, made.rules(), samples);
  EXPECT_EQ(causes[0].own.size(), 2U);
  EXPECT_EQ(causes[1].own.size(), 2U);  // its own finding, and that of SSE-04
  named = named_findings(causes);
  causes[1].own.insert(*causes[0].own.begin());
  return_to_kinds(causes, named, findings, made.rules(), samples);
  EXPECT_EQ(causes[1].own.size(), 3U);
}

}  // namespace
}  // namespace splitproof::cause::separate_test
