#include "harness/hunt/cover.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "harness/split/random_cuts.hpp"

namespace splitproof::hunt::cover_test {
namespace {

using Places = std::vector<std::size_t>;

TEST(Cover, LargestGainIsFirst) { EXPECT_EQ(greedy_cover({{1}, {1, 2, 3}, {3, 4}, {2, 4}}), (Places{1, 2})); }

TEST(Cover, OfEqualGainsTheFirstIsChosen) { EXPECT_EQ(greedy_cover({{1, 2}, {2, 1}, {3}}), (Places{0, 2})); }

TEST(Cover, CandidateWithoutFeaturesIsNotChosen) {
  EXPECT_EQ(greedy_cover({{}, {7}, {}}), Places{1});
  EXPECT_EQ(greedy_cover({{}, {}}), Places{});
  EXPECT_EQ(greedy_cover({}), Places{});
}

TEST(Cover, ChosenHaveAllFeaturesAndEachAddsOne) {
  split::SplitMix64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<Feature>> candidates(random.below(30));
    std::set<Feature> all;
    for (auto& features : candidates) {
      std::set<Feature> own;
      for (std::uint64_t count = random.below(12); count > 0; --count) own.insert(random.below(40));
      features.assign(own.begin(), own.end());
      all.insert(own.begin(), own.end());
    }
    std::set<Feature> covered;
    for (const std::size_t place : greedy_cover(candidates)) {
      const std::size_t before = covered.size();
      covered.insert(candidates[place].begin(), candidates[place].end());
      EXPECT_GT(covered.size(), before);
    }
    EXPECT_EQ(covered, all);
  }
}

}  // namespace
}  // namespace splitproof::hunt::cover_test
