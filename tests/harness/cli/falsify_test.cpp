// `splitproof falsify` from the outside: custom rules with right and wrong falsifiers.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::falsify_test {
namespace {

std::string lone_error(const std::string& members) {
  return "event: error\ndata: {\"type\":\"error\"," + members +
         "\"error\":{\"type\":\"api_error\",\"message\":\"No.\"}}\n\n";
}

// A folder with rules about errors that name a house, with two clauses each: the house's name and its floor.
class House {
 public:
  House() {
    folder_.put("sound.sse", lone_error(R"("house":"Leith","floor":2,)"));
    folder_.put("nameless.sse", lone_error(R"("floor":2,)"));
    folder_.put("floorless.sse", lone_error(R"("house":"Leith",)"));
    folder_.put("bare.sse", lone_error(""));
    folder_.put("nobody.sse", "event: error\ndata: {\"type\":\"error\",\"floor\":2}\n\n");
  }

  // Adds one rule with these falsifiers.
  void rule(const std::string& falsifiers) const {
    folder_.put("house.yaml",
                "contract: anthropic.messages.downstream\nversion: 1\n"
                "events: {house-error: {/type: error}}\nobligations:\n"
                "  - id: HOUSE-01\n    level: must\n    says: An error names the house and the floor.\n"
                "    clauses:\n"
                "      - {each: house-error, where: {/house: {type: string}}}\n"
                "      - {each: house-error, where: {/floor: {type: integer}}}\n"
                "    falsifiers:\n" +
                    falsifiers);
  }

  void unfalsified(const std::string& list) const { folder_.put("unfalsified/house.yaml", list); }

  Finished falsify() const {
    return splitproof({"falsify", "--contracts", folder_.at(""), "--only", "HOUSE-*"});
  }

 private:
  Folder folder_;
};

constexpr const char* kNameless = "      - {file: nameless.sse, trips: [HOUSE-01], control: sound.sse}\n";
constexpr const char* kFloorless = "      - {file: floorless.sse, trips: [HOUSE-01], control: sound.sse}\n";

void expect_told(const Finished& finished, const std::vector<std::string>& lines) {
  EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
  EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: VIOLATES  1 rule, 2 clauses")) << finished.out;
  for (const std::string& line : lines)
    EXPECT_NE(finished.out.find(line), std::string::npos) << line << "\n" << finished.out;
}

TEST(Falsify, RulesWhoseFalsifiersShowEveryClauseConform) {
  const House house;
  house.rule(std::string(kNameless) + kFloorless);
  const Finished finished = house.falsify();
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_EQ(last_line(finished.out),
            "splitproof: CONFORMS  1 rule, 2 clauses (0 excused), 2 falsifiers, 1 control, 0 findings");
}

TEST(Falsify, AFalsifierThatTripsNothingIsTold) {
  const House house;
  house.rule(std::string(kNameless) + kFloorless +
             "      - {file: sound.sse, trips: [HOUSE-01], control: sound.sse}\n");
  expect_told(
      house.falsify(),
      {"house.yaml:14: the falsifier sound.sse of HOUSE-01 should violate HOUSE-01, and violates nothing\n",
       "  too little: HOUSE-01 is met\n", "  to fix it: change the example", ", 1 finding"});
}

TEST(Falsify, AFalsifierThatTripsTooMuchIsTold) {
  const House house;
  house.rule(std::string(kNameless) + kFloorless +
             "      - {file: nobody.sse, trips: [HOUSE-01], control: sound.sse}\n");
  expect_told(
      house.falsify(),
      {"house.yaml:14: the falsifier nobody.sse of HOUSE-01 should violate HOUSE-01, and violates END-09, END-14, HOUSE-01\n",
       "  too much: END-14: ", "name both under `trips`", ", 1 finding"});
}

TEST(Falsify, AFalsifierOfAnotherRuleIsTold) {
  const House house;
  house.rule(std::string(kNameless) + kFloorless +
             "      - {file: sound.sse, trips: [ANT-01], control: sound.sse}\n");
  expect_told(house.falsify(),
              {"sound.sse of HOUSE-01 names ANT-01 but not its own rule", "add HOUSE-01 to `trips`"});
}

TEST(Falsify, AControlThatTripsIsTold) {
  const House house;
  house.rule(std::string(kFloorless) +
             "      - {file: nameless.sse, trips: [HOUSE-01], control: floorless.sse}\n");
  expect_told(
      house.falsify(),
      {"house.yaml:13: the control floorless.sse of HOUSE-01 should violate nothing, and violates HOUSE-01\n",
       "  too much: HOUSE-01: /floor is absent", ", 1 finding"});
}

TEST(Falsify, AFalsifierWithoutAControlIsTold) {
  const House house;
  house.rule(std::string(kFloorless) + "      - {file: nameless.sse, trips: [HOUSE-01]}\n");
  expect_told(house.falsify(), {"house.yaml:13: the falsifier nameless.sse of HOUSE-01 has no control\n"});
}

TEST(Falsify, AClauseThatCanBeDeletedIsTold) {
  const House house;
  house.rule(std::string(kFloorless) + "      - {file: bare.sse, trips: [HOUSE-01], control: sound.sse}\n");
  expect_told(house.falsify(),
              {"house.yaml:9: no falsifier notices if clause 1 of HOUSE-01 is deleted\n",
               "  other clauses of the rule are also violated in bare.sse\n", ", 1 finding"});
  house.rule(kFloorless);
  expect_told(house.falsify(), {"house.yaml:9: no falsifier notices if clause 1 of HOUSE-01 is deleted\n"});
}

TEST(Falsify, ARuleWithoutFalsifiersIsTold) {
  const Folder folder;
  folder.put(
      "house.yaml",
      "contract: anthropic.messages.downstream\nversion: 1\nevents: {house-error: {/type: error}}\n"
      "obligations:\n  - {id: HOUSE-01, level: must, says: An error names the house., each: house-error, "
      "where: {/house: {type: string}}}\n");
  const Finished finished = splitproof({"falsify", "--contracts", folder.at(""), "--only", "HOUSE-*"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.out.find("house.yaml:5: no falsifier notices if HOUSE-01 is deleted\n"),
            std::string::npos)
      << finished.out;
}

TEST(Falsify, AReasonExcusesAClauseUntilAFalsifierShowsIt) {
  const House house;
  house.unfalsified("unfalsified:\n  - {rule: HOUSE-01, clauses: [1], why: Our errors all have a name.}\n");
  house.rule(kFloorless);
  const Finished excused = house.falsify();
  EXPECT_EQ(excused.code, 0) << excused.out;
  EXPECT_NE(excused.out.find("  HOUSE-01, clause 1: Our errors all have a name.\n"), std::string::npos)
      << excused.out;
  EXPECT_NE(last_line(excused.out).find("2 clauses (1 excused)"), std::string::npos) << excused.out;
  house.rule(std::string(kNameless) + kFloorless);
  expect_told(house.falsify(), {"unfalsified/house.yaml:2: clause 1 of HOUSE-01 now has a falsifier\n",
                                "  to fix it: remove the entry\n", ", 1 finding"});
}

TEST(Falsify, WhatCannotBeReadIsSaidBeforeAnythingElse) {
  const House house;
  house.rule("      - {file: gone.sse, trips: [HOUSE-01], control: sound.sse}\n");
  const Finished gone = house.falsify();
  EXPECT_EQ(gone.code, 2);
  EXPECT_EQ(gone.out, "");
  EXPECT_NE(gone.err.find("house.yaml:12: HOUSE-01 names gone.sse, which does not exist; "),
            std::string::npos)
      << gone.err;
  house.rule(std::string(kNameless) + kFloorless);
  for (const auto& [list, error] : std::vector<std::pair<std::string, std::string>>{
           {"{rule: HOUSE-02, clauses: [1], why: None.}", "there is no rule 'HOUSE-02'"},
           {"{rule: HOUSE-01, clauses: [3], why: None.}",
            "HOUSE-01 has no clause '3'; its clauses are 1 to 2"},
           {"{rule: HOUSE-01, clauses: [1, 1], why: None.}", "clause 1 of HOUSE-01 occurs twice"},
           {"{rule: HOUSE-01, clauses: [1]}", "why"}}) {
    house.unfalsified("unfalsified:\n  - " + list + "\n");
    const Finished finished = house.falsify();
    EXPECT_EQ(finished.code, 2);
    EXPECT_NE(finished.err.find("unfalsified/house.yaml:2: "), std::string::npos) << finished.err;
    EXPECT_NE(finished.err.find(error), std::string::npos) << finished.err;
  }
}

// Rules of one folder are not tested with the falsifiers of another.
TEST(Falsify, OwnRulesAreNotHeldAgainstBuiltInFalsifiers) {
  const Folder folder;
  folder.put("house.yaml",
             "contract: anthropic.messages.downstream\nversion: 1\nevents: {end: {/type: message_stop}}\n"
             "obligations:\n  - {id: HOUSE-01, level: must, says: There is no end., never: end,\n"
             "     falsifiers: [{file: end.sse, trips: [HOUSE-01], control: none.sse}]}\n");
  const Finished finished = splitproof({"falsify", "--contracts", folder.at(""), "--only", "ANT-0*"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
}

TEST(Falsify, OfNothingSaysSo) { EXPECT_EQ(splitproof({"falsify", "--only", "no-such-rule"}).code, 5); }

}  // namespace
}  // namespace splitproof::cli::falsify_test
