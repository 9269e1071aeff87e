#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <utility>

#include "deck.hpp"
#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/read_file.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/in_process.hpp"
#include "hunt.hpp"
#include "mutant_targets.hpp"
#include "project.hpp"

namespace splitproof::testee {

void PrintTo(const Variant& mutant, std::ostream* out) { *out << mutant.name; }

}  // namespace splitproof::testee

namespace splitproof::mutants_test {
namespace {

using testee::LibraryTestee;
using testee::Variant;

constexpr std::size_t kBudget = 2000;
constexpr std::size_t kFewCases = 300;

// The recordings of one upstream, and their cases.
struct Hand {
  std::vector<recording::Recording> recordings;
  std::vector<mutants::Dealt> deck;

  explicit Hand(const std::string& upstream)
      : recordings(mutants::recordings_of(project().of_all_upstreams, upstream)),
        deck(mutants::deal_plan_and_faults(recordings, kBudget)) {}
};

const Hand& hand_of(const std::string& upstream) {
  static std::map<std::string, Hand> hands;
  return hands.try_emplace(upstream, upstream).first->second;
}

const std::vector<recording::Recording>& requests_of(const Variant& mutant) {
  static std::map<std::pair<std::string, std::string>, std::vector<recording::Recording>> all;
  const auto [known, is_new] = all.try_emplace({mutant.upstream, mutant.client});
  if (is_new) known->second = mutants::requests_of(project().corpus, mutant.upstream, mutant.client);
  return known->second;
}

// Hunts with a deck, or with requests if its obligation is about requests.
mutants::Hunt hunt_for(const Variant& mutant) {
  const contract::Contracts& contracts = project().contracts;
  const contract::Profile& profile = mutants::profile_of(mutant);
  const LibraryTestee testee = mutants::mutant_target(mutant, profile);
  const contract::Obligation* obligation = contracts.find(mutant.obligation);
  if (obligation != nullptr && campaign::is_of_requests(*obligation))
    return mutants::hunt_requests(testee, requests_of(mutant), contracts, profile, mutant.obligation);
  return mutants::hunt(testee, hand_of(mutant.upstream).deck, contracts, profile, mutant.obligation);
}

// Returns the library without a mutant, for each pair of protocols with mutants.
std::vector<Variant> unmutated() {
  std::vector<Variant> all;
  for (const Variant& mutant : mutants::mutants_library()->variants()) {
    const Variant none{"", "", "", "", mutant.upstream, mutant.client, mutant.profile};
    if (std::find(all.begin(), all.end(), none) == all.end()) all.push_back(none);
  }
  return all;
}

std::string name_of(const Variant& variant) {
  std::string name = variant.name.empty() ? variant.upstream + "_to_" + variant.client + "_" + variant.profile
                                          : variant.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '_' || c == '.'; }, '0');
  return name;
}

class Mutants : public testing::TestWithParam<Variant> {};

TEST_P(Mutants, AreKilledByTheirObligation) {
  const Variant& mutant = GetParam();
  SCOPED_TRACE(mutant.says);
  const auto hunt = hunt_for(mutant);
  EXPECT_EQ(hunt.kills.count(mutant.obligation), 1U) << [&] {
    std::string others =
        "it survives " + mutant.obligation + " for " + std::to_string(hunt.cases) + " cases; killed by";
    for (const auto& [id, kill] : hunt.kills)
      others += "\n  " + id + " " + kill.case_id + ": " + kill.message;
    return others;
  }();
}

INSTANTIATE_TEST_SUITE_P(Table, Mutants, testing::ValuesIn(mutants::mutants_library()->variants()),
                         [](const auto& info) { return name_of(info.param); });

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

TEST(MutantsTable, IsThatOfTheKillMatrix) {
  const std::string data = std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/docs/data/kill-matrix";
  const std::string tables =
      "\n" + read_file(data + ".tsv").value() + read_file(data + "-requests.tsv").value();
  for (const Variant& mutant : mutants::mutants_library()->variants()) {
    const std::string cells = mutant.name + "\t" + mutant.obligation + "\t";
    EXPECT_TRUE(tables.find("\t" + cells) != std::string::npos ||
                tables.find("\n" + cells) != std::string::npos)
        << mutant.name << ": run make kill-matrix";
  }
}

class UnmutatedLibrary : public testing::TestWithParam<Variant> {};

// The campaign covers the other protocols; here they show that the library opens a stream for them.
bool is_the_default(const Variant& protocols) {
  return protocols.upstream == testee::reference_upstreams().front() &&
         protocols.client == testee::reference_clients().front() && protocols.profile.empty();
}

TEST_P(UnmutatedLibrary, ViolatesNothing) {
  const contract::Profile& profile = mutants::profile_of(GetParam());
  const LibraryTestee testee = mutants::mutant_target(GetParam(), profile);
  const Hand& hand = hand_of(GetParam().upstream);
  const auto plan = mutants::deal(hand.recordings, mutants::Generator::plan, kFewCases);
  const auto& deck = is_the_default(GetParam()) ? hand.deck : plan;
  const auto hunt = mutants::hunt(testee, deck, project().contracts, profile);
  EXPECT_EQ(hunt.cases, deck.size());
  for (const auto& [id, kill] : hunt.kills) {
    const contract::Obligation* obligation = project().contracts.find(id);
    if (obligation != nullptr && obligation->level != contract::Level::must) continue;
    ADD_FAILURE() << id << " " << kill.case_id << ": " << kill.message;
  }
}

// Its upstream request equals the reference's and violates no rule.
TEST_P(UnmutatedLibrary, RequestsEqualTheReferencesRequests) {
  const Variant& none = GetParam();
  const contract::Profile& profile = mutants::profile_of(none);
  const LibraryTestee library = mutants::mutant_target(none, profile);
  const testee::InProcess reference("reference",
                                    testee::reference_streams(profile, none.upstream, none.client).value(),
                                    none.upstream, none.client);
  for (const recording::Recording& request : requests_of(none)) {
    SCOPED_TRACE(request.id);
    const testee::Observation a = library.asks(request);
    const testee::Observation b = reference.asks(request);
    EXPECT_EQ(a.request, b.request);
    ASSERT_EQ(a.calls.size(), b.calls.size());
    if (a.calls.empty()) {
      EXPECT_EQ(a.http.value().status, b.http.value().status);
      continue;
    }
    EXPECT_EQ(a.calls.front().target, b.calls.front().target);
    EXPECT_EQ(a.calls.front().headers, b.calls.front().headers);
    EXPECT_EQ(nlohmann::json::parse(a.calls.front().body), nlohmann::json::parse(b.calls.front().body));
  }
  const auto hunt = mutants::hunt_requests(library, requests_of(none), project().contracts, profile);
  for (const auto& [id, kill] : hunt.kills)
    if (project().contracts.find(id)->level == contract::Level::must)
      ADD_FAILURE() << id << " " << kill.case_id << ": " << kill.message;
}

// Takes a fourth of the corpus's systematic splits, with each ending; fewer for protocols other than the default.
TEST_P(UnmutatedLibrary, OutputEqualsTheReferencesByteForByte) {
  const auto& [name, says, obligation, seen, upstream, client, named] = GetParam();
  const contract::Profile& profile = mutants::profile_of(GetParam());
  const LibraryTestee library = mutants::mutant_target(GetParam(), profile);
  const testee::InProcess reference("reference", testee::reference_streams(profile, upstream, client).value(),
                                    upstream, client);
  const std::size_t one_of = is_the_default(GetParam()) ? 4 : 64;
  std::size_t cases = 0;
  std::size_t compared = 0;
  campaign::Trials trials;
  trials.recuts = 0;
  for (const recording::Recording& recording : hand_of(upstream).recordings) {
    const auto compare = [&](const campaign::Variation& variation) {
      return variation.for_each_case([&](const campaign::Case& one, const split::Cuts& cuts) {
        if (cases++ % one_of != 0) return true;
        testee::Exchange exchange;
        exchange.recording = &recording;
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
  const std::size_t least = dialect::dealer_of(upstream) == nullptr ? 4'000 : 10'000;  // without recuts
  EXPECT_GT(compared, least / one_of);
}

INSTANTIATE_TEST_SUITE_P(Protocols, UnmutatedLibrary, testing::ValuesIn(unmutated()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace splitproof::mutants_test
