#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <set>

#include "deck.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/read_file.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/in_process.hpp"
#include "hunt.hpp"
#include "mutant_targets.hpp"
#include "project.hpp"

namespace splitproof {

namespace testee {

void PrintTo(const Variant& mutant, std::ostream* out) { *out << mutant.name; }

}  // namespace testee

namespace {

using testee::LibraryTestee;
using testee::Variant;

constexpr std::size_t kBudget = 2000;

const std::vector<mutants::Dealt>& default_plan() {
  static const auto deck = mutants::deal(project().corpus.recordings, mutants::Generator::plan, kBudget);
  return deck;
}

class Mutants : public testing::TestWithParam<Variant> {};

TEST_P(Mutants, AreKilledByTheirObligation) {
  const Variant& mutant = GetParam();
  SCOPED_TRACE(mutant.says);
  const LibraryTestee testee = mutants::mutant_target(mutant.name, project().profile);
  const auto hunt =
      mutants::hunt(testee, default_plan(), project().contracts, project().profile, mutant.obligation);
  EXPECT_EQ(hunt.kills.count(mutant.obligation), 1U) << [&] {
    std::string others =
        "it survives " + mutant.obligation + " for " + std::to_string(hunt.cases) + " cases; killed by";
    for (const auto& [id, kill] : hunt.kills)
      others += "\n  " + id + " " + kill.case_id + ": " + kill.message;
    return others;
  }();
}

INSTANTIATE_TEST_SUITE_P(Table, Mutants, testing::ValuesIn(mutants::mutants_library()->variants()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '-' || c == '_'; }, '0');
                           return name;
                         });

TEST(MutantsTable, NamesObligationsThatDecide) {
  std::set<std::string> names;
  for (const Variant& mutant : mutants::mutants_library()->variants()) {
    SCOPED_TRACE(mutant.name);
    EXPECT_TRUE(names.insert(mutant.name).second);
    EXPECT_FALSE(mutant.says.empty());
    const contract::Obligation* obligation = project().contracts.find(mutant.obligation);
    if (obligation == nullptr) obligation = &campaign::meta_obligation(mutant.obligation);
    EXPECT_EQ(obligation->level, contract::Level::must);
  }
  EXPECT_GE(names.size(), 40U);
}

TEST(MutantsTable, IsThatOfThePage) {
  const std::string page =
      read_file(std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/docs/kill-matrix.md").value();
  for (const Variant& mutant : mutants::mutants_library()->variants()) {
    EXPECT_NE(page.find("| " + mutant.name + " | " + mutant.obligation + " |"), std::string::npos)
        << mutant.name << ": run make kill-matrix";
  }
}

TEST(UnmutatedLibrary, ViolatesNothing) {
  const LibraryTestee testee = mutants::mutant_target("", project().profile);
  const auto hunt = mutants::hunt(testee, default_plan(), project().contracts, project().profile);
  EXPECT_EQ(hunt.cases, kBudget);
  for (const auto& [id, kill] : hunt.kills)
    ADD_FAILURE() << id << " " << kill.case_id << ": " << kill.message;
}

// Of the whole corpus, every way to cut it that is no chance, with recuts and with each way to end.
TEST(UnmutatedLibrary, SaysWhatTheReferenceSaysByteForByte) {
  const LibraryTestee library = mutants::mutant_target("", project().profile);
  const testee::InProcess reference("reference", project().reference);
  std::size_t compared = 0;
  campaign::Trials trials;
  trials.recuts = 0;
  for (const recording::Recording& recording : project().corpus.recordings) {
    const auto compare = [&](const campaign::Variation& variation) {
      return variation.for_each_case([&](const campaign::Case& one, const split::Cuts& cuts) {
        testee::Exchange exchange;
        exchange.chunks = split::chunks(variation.as_arrived.body, cuts);
        const auto ends = {recording::End::complete, recording::End::closed, recording::End::reset,
                           recording::End::stall};
        for (const recording::End end : ends) {
          if (end != variation.as_arrived.end && compared % 16 != 0 && cuts.size() > 1) continue;
          exchange.end = end;
          const testee::Observation a = library.observe(exchange);
          const testee::Observation b = reference.observe(exchange);
          ++compared;
          EXPECT_EQ(a.ending, testee::Ending::complete);
          if (a.body == b.body && a.after_chunk == b.after_chunk) continue;
          ADD_FAILURE() << campaign::to_string(one) << " " << recording::name(end) << ":\n"
                        << a.body << "\nand\n"
                        << b.body;
          return false;
        }
        return true;
      });
    };
    campaign::for_each_variation(recording, reference.client(), trials, "", compare);
  }
  EXPECT_GT(compared, 10'000U);
}

}  // namespace
}  // namespace splitproof
