#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "made.hpp"

namespace splitproof::cause::small_causes_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SmallCauses, RareFindingNextToAGreaterCauseIsPerhapsPartOfIt) {
  for (const bool also_alone : {false, true}) {
    for (const int great : {3, 5}) {
      SCOPED_TRACE(great);
      Made made;
      made.rule("GREAT", true).rule("SMALL", true);
      made.sound(10);
      for (int i = 0; i < great; ++i)
        made.recording("r" + std::to_string(i))
            .turns_out("gen=whole",
                       i < 2 ? std::set<std::string>{"GREAT", "SMALL"} : std::set<std::string>{"GREAT"});
      if (also_alone) made.recording("alone").turns_out("gen=whole", {"SMALL"});
      const auto causes = made.causes();
      if (great == 5 && !also_alone) {
        ASSERT_THAT(ids(causes), ElementsAre("GREAT"));
        EXPECT_THAT(perhaps(causes[0]), ElementsAre("SMALL"));
        EXPECT_THAT(below(causes[0]), IsEmpty());
        EXPECT_EQ(causes[0].own.size(), 7U);
      } else {
        ASSERT_THAT(ids(causes), ElementsAre("GREAT", "SMALL"));
        EXPECT_EQ(perhaps(causes[0]).size(), great == 5 ? 1U : 0U) << "it is one, elsewhere";
        EXPECT_EQ(causes[1].recordings(), (great == 3 ? 2U : 0U) + (also_alone ? 1U : 0U));
      }
    }
  }
}

TEST(SmallCauses, FindingJoinsACauseWithOtherCutsOnlyIfItComparesOutput) {
  for (const bool says_less : {false, true}) {
    Made made;
    made.rule("LATE");
    if (says_less) made.compares("SMALL");
    if (!says_less) made.rule("SMALL", true);
    made.sound(10);
    for (int i = 0; i < 7; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole", i < 2 ? std::set<std::string>{"SMALL"} : std::set<std::string>{});
      made.turns_out("gen=withheld",
                     i < 2 ? std::set<std::string>{"SMALL", "LATE"} : std::set<std::string>{"LATE"});
    }
    EXPECT_EQ(made.causes().size(), says_less ? 1U : 2U);
  }
}

TEST(SmallCauses, FindingJoinsACutDependentCauseOnlyWithTheSameCuts) {
  for (const auto& [great_goes, small_goes] :
       {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
    Made made;
    made.rule("GREAT").rule("SMALL", true);
    for (int i = 0; i < 25; ++i) {
      made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"GREAT"});
      if (great_goes) made.turns_out("gen=bytes", {});
    }
    for (const char* id : {"a", "b"}) {
      made.recording(id).turns_out("gen=whole", {"GREAT", "SMALL"});
      made.turns_out("gen=bytes", small_goes ? std::set<std::string>{} : std::set<std::string>{"SMALL"});
    }
    const auto causes = made.causes();
    EXPECT_EQ(causes.size(), great_goes && small_goes ? 1U : 2U) << great_goes << small_goes;
  }
}

TEST(SmallCauses, FindingsWithTheSameInventedValueAreOneCause) {
  for (const bool upstream_says_it : {false, true}) {
    Made made;
    made.rule("EARLY", true).rule("NEVER", true);
    made.sound(10).sends(upstream_says_it ? R"(data: {"name":"tool_0"})" : R"(data: {"name":"tide"})");
    for (const char* id : {"a", "b", "c", "d"})
      made.recording(id).turns_out("gen=whole", {"EARLY"}).says("EARLY", R"(["tool_0"])", R"(["tide"])");
    for (const char* id : {"e", "f"})
      made.recording(id).turns_out("gen=whole", {"NEVER"}).says("NEVER", R"(["tool_0"])", "[]");
    EXPECT_EQ(made.causes().size(), upstream_says_it ? 2U : 1U);
  }
}

TEST(SmallCauses, RuleAboutAShapeIsPartOfAKinOneWhoseShapeIsAlwaysThere) {
  for (const bool also_sound : {false, true}) {
    Made made;
    made.rule("FORM").rule("CALL-1", true).rule("CALL-2", true);
    made.sound(10);
    for (const char* id : {"a", "b", "c", "d"})
      made.recording(id).turns_out("gen=whole", {"CALL-1", "FORM"}).shaped({"late"});
    for (const char* id : {"e", "f"})
      made.recording(id).turns_out("gen=whole", {"CALL-2"}).shaped({"late", "first"});
    for (const char* id : {"g", "h", "i"})
      if (also_sound) made.recording(id).turns_out("gen=whole", {}).shaped({"late"});
    EXPECT_EQ(made.causes().size(), also_sound ? 2U : 1U);
  }
}

TEST(SmallCauses, RuleThatIsAlwaysViolatedNeedsNoShapeAsItsCause) {
  for (const bool also_met : {false, true}) {
    Made made;
    made.rule("SHAPE", true).compares("LOST");
    made.sound(0);
    for (const char* id : {"a", "b", "c", "d"}) made.recording(id).turns_out("gen=whole", {"LOST"});
    made.recording("e").turns_out("gen=whole", {"LOST", "SHAPE"});
    made.recording("f").turns_out("gen=whole", {"SHAPE"}, std::set<std::string>{});
    for (const char* id : {"g", "h", "i"})
      if (also_met) made.recording(id).turns_out("gen=whole", {});
    for (const Cause& cause : made.causes())
      EXPECT_EQ(cause.recordings(), cause.rule->id == "LOST" ? (also_met ? 4U : 5U) : (also_met ? 2U : 1U));
  }
}

TEST(SmallCauses, DefectOfARepeatedEventIsPartOfTheRepetition) {
  for (const bool again : {false, true}) {
    Made made;
    made.rule("AGAIN").rule("FELL");
    const std::string body = again ? "start 1 delta 9 delta 7 " : "start 1 delta 9 omega 7 ";
    for (int i = 0; i < 25; ++i) {
      made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"AGAIN"});
      made.tells("AGAIN", body, 2, 16, 23);
    }
    made.recording("a").turns_out("gen=whole", {"AGAIN", "FELL"});
    made.tells("AGAIN", body, 2, 16, 23).tells("FELL", body, 2, 16, 23);
    EXPECT_EQ(made.causes().size(), again ? 1U : 2U);
  }
}

TEST(SmallCauses, RequestFindingIsNoPartOfAnAnswerFinding) {
  for (const bool of_requests : {false, true}) {
    Made made;
    made.rule("ASKED", true).rule("TOLD", true);
    if (of_requests) made.of_requests("ASKED");
    made.sound(10);
    for (const char* id : {"a", "b", "c"}) made.recording(id).turns_out("gen=whole", {"ASKED", "TOLD"});
    EXPECT_EQ(made.causes().size(), of_requests ? 2U : 1U);
  }
}

TEST(SmallCauses, SecondTurnsDoNotChangeTheCauses) {
  for (const int turns : {0, 3}) {
    Made made;
    made.rule("EVERYWHERE", true).rule("TOLD").compares("SAID");
    for (int i = 0; i < 30; ++i) {
      made.recording("r" + std::to_string(i));
      const bool is_told = i == 0;
      made.turns_out("gen=whole", is_told ? std::set<std::string>{"EVERYWHERE", "TOLD", "SAID"}
                                          : std::set<std::string>{"EVERYWHERE"});
      for (int turn = 0; turn < turns; ++turn) made.turns_out("turn=2", {});
    }
    const auto causes = made.causes();
    ASSERT_THAT(ids(causes), ElementsAre("EVERYWHERE", "TOLD"));
    EXPECT_THAT(below(causes[1]), ElementsAre("SAID"));
  }
}

TEST(SmallCauses, RuleWithItsOwnCauseElsewhereIsADoubtfulPart) {
  for (const bool follows : {false, true}) {
    for (const int shown : {2, 5}) {
      Made made;
      made.rule("SHAPE", true).compares("SAID");
      if (follows) made.follows("SAID", "SHAPE");
      made.sound(10);
      for (int i = 0; i < 5; ++i)
        made.recording("shape" + std::to_string(i))
            .turns_out("gen=whole",
                       i < shown ? std::set<std::string>{"SHAPE", "SAID"} : std::set<std::string>{"SHAPE"});
      for (int i = 0; i < 5; ++i) made.recording("said" + std::to_string(i)).turns_out("gen=whole", {"SAID"});
      const auto causes = made.causes();
      ASSERT_THAT(ids(causes), testing::UnorderedElementsAre("SHAPE", "SAID"));
      const Cause& shape = named(causes, "SHAPE");
      EXPECT_EQ(shape.own.size(), 5U + static_cast<std::size_t>(shown));
      EXPECT_EQ(shape.doubtful.size(), !follows && shown == 2 ? 2U : 0U);
      EXPECT_EQ(perhaps(shape).size(), !follows && shown == 2 ? 1U : 0U);
    }
  }
}

TEST(SmallCauses, SameDifferenceAsACauseEverywhereIsPerhapsPartOfIt) {
  for (const bool just_so : {false, true}) {
    Made made;
    made.compares("END").rule("SHAPE", true).compares("MORE").follows("MORE", "SHAPE");
    for (int i = 0; i < 30; ++i) {
      made.recording("r" + std::to_string(i));
      made.turns_out("gen=whole",
                     i < 4 ? std::set<std::string>{"END", "SHAPE", "MORE"} : std::set<std::string>{"END"});
      made.says("END", "null", R"("tool_use")");
      if (i < 4)
        made.says("SHAPE", "null", just_so ? R"("tool_use")" : R"("end_turn")")
            .says("MORE", "[]", R"(["a"])");
    }
    const auto causes = made.causes();
    ASSERT_THAT(ids(causes), ElementsAre("END", "SHAPE"));
    std::set<std::string> doubtful;
    for (const results::Row* row : causes[1].doubtful) doubtful.insert(row->rule);
    EXPECT_EQ(doubtful, just_so ? std::set<std::string>{"SHAPE"} : std::set<std::string>{});
    EXPECT_THAT(below(causes[1]), ElementsAre("MORE"));
  }
}

TEST(SmallCauses, UsualConsequencesOfACauseGoWithIt) {
  Made made;
  made.rule("SHAPE", true).compares("SAID").compares("SO");
  made.follows("SO", "SAID");
  made.sound(10);
  for (int i = 0; i < 5; ++i)
    made.recording("shape" + std::to_string(i))
        .turns_out("gen=whole",
                   i == 0 ? std::set<std::string>{"SHAPE", "SAID", "SO"} : std::set<std::string>{"SHAPE"});
  for (int i = 0; i < 5; ++i)
    made.recording("said" + std::to_string(i)).turns_out("gen=whole", {"SAID", "SO"});
  const auto causes = made.causes();
  ASSERT_THAT(ids(causes), testing::UnorderedElementsAre("SHAPE", "SAID"));
  const Cause& shape = named(causes, "SHAPE");
  const Cause& said = named(causes, "SAID");
  EXPECT_THAT(perhaps(shape), ElementsAre("SAID", "SO"));
  EXPECT_THAT(below(said), ElementsAre("SO"));
}

TEST(SmallCauses, ConsequenceWithoutItsCauseIsItsOwnCause) {
  for (const std::size_t others : {0U, 3U}) {
    SCOPED_TRACE(others);
    Made made;
    made.rule("SHAPE", true).compares("SAID");
    made.sound(20);
    for (int i = 0; i < 5; ++i)
      made.recording("shape" + std::to_string(i)).turns_out("gen=whole", {"SHAPE", "SAID"});
    for (std::size_t i = 0; i < others; ++i)
      made.recording("said" + std::to_string(i)).turns_out("gen=whole", {"SAID"});
    const auto causes = made.causes();
    EXPECT_EQ(causes.size(), others == 0 ? 1U : 2U);
    EXPECT_THAT(below(named(causes, "SHAPE")), ElementsAre("SAID"));
    if (others > 0) {
      EXPECT_EQ(named(causes, "SAID").recordings(), others);
    }
  }
}

TEST(SmallCauses, FindingInADocumentIsADoubtfulPartOfAStreamCause) {
  for (const bool also_streams : {false, true}) {
    Made made;
    made.rule("SHAPE", true).compares("SAID");
    made.sound(10);
    for (int i = 0; i < 5; ++i) {
      made.recording("r" + std::to_string(i));
      if (i < 2 || !also_streams) made.answers_with("application/json");
      made.turns_out("gen=whole", {"SHAPE", "SAID"});
    }
    const auto causes = made.causes();
    ASSERT_THAT(ids(causes), ElementsAre("SHAPE"));
    EXPECT_EQ(causes[0].doubtful.size(), also_streams ? 4U : 0U);
    EXPECT_THAT(below(causes[0]), ElementsAre("SAID"));
  }
}

TEST(SmallCauses, RecordingsOfRequestsSayNothingOfHowOftenAnAnswerIsWrong) {
  for (const bool of_requests : {false, true}) {
    Made made;
    made.rule("ALWAYS").rule("RARE");
    for (int i = 0; i < 25; ++i) made.recording("r" + std::to_string(i)).turns_out("gen=whole", {"ALWAYS"});
    for (const char* id : {"a", "b"}) made.recording(id).turns_out("gen=whole", {"ALWAYS", "RARE"});
    for (int i = 0; i < 80; ++i) {
      made.recording("q" + std::to_string(i)).turns_out("gen=whole", {}, std::set<std::string>{});
      if (of_requests) made.is_about_request();
    }
    EXPECT_EQ(made.causes().size(), of_requests ? 2U : 1U) << "what stands swallows nothing";
  }
}

}  // namespace
}  // namespace splitproof::cause::small_causes_test
