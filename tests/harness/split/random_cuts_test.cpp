#include "harness/split/random_cuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace splitproof::split::random_cuts_test {
namespace {

// Case ids in reports and expectation files depend on these values: they never change.
TEST(RandomCuts, GoldenValues) {
  SplitMix64 random(1234567);  // the generator's published test vector
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
  EXPECT_EQ(random_cuts(100, 0, 7), (Cuts{17}));
  EXPECT_EQ(random_cuts(100, 1, 7), (Cuts{12, 41, 59, 60, 67}));
  EXPECT_EQ(random_cuts(12, 0, 8), (Cuts{3, 5, 6, 7, 9, 10, 11}));
  EXPECT_EQ(random_cuts(4000, 1, 42), (Cuts{702, 1025, 1176, 1497, 2304, 2534, 2871}));
}

TEST(RandomCuts, FitBodiesOfEverySize) {
  for (std::size_t size = 0; size < 200; ++size) {
    for (std::size_t index = 0; index < 20; ++index) {
      const Cuts cuts = random_cuts(size, index, 1);
      ASSERT_TRUE(check_cuts(cuts, size)) << size << ' ' << index;
      ASSERT_EQ(cuts.empty(), size < 2);
    }
  }
}

TEST(RandomCuts, AreSparseAsOftenAsDense) {
  std::array<int, 12> by_width{};  // splits with 2^i to 2^(i+1)-1 cuts
  for (std::size_t index = 0; index < 1200; ++index) {
    ++by_width[static_cast<std::size_t>(std::bit_width(random_cuts(4000, index, 3).size())) - 1];
  }
  for (const int count : by_width) {
    EXPECT_GT(count, 60);
    EXPECT_LT(count, 140);
  }
}

TEST(RandomCuts, FallEverywhereAlike) {
  std::array<int, 20> by_offset{};
  int total = 0;
  for (std::size_t index = 0; index < 4000; ++index) {
    for (const std::size_t cut : random_cuts(by_offset.size(), index, 11)) {
      ++by_offset[cut];
      ++total;
    }
  }
  EXPECT_EQ(by_offset[0], 0);
  const int mean = total / static_cast<int>(by_offset.size() - 1);
  for (std::size_t offset = 1; offset < by_offset.size(); ++offset) {
    EXPECT_NEAR(by_offset[offset], mean, mean / 8.0) << offset;
  }
}

TEST(RandomCuts, DifferByIndexAndSeed) {
  std::set<Cuts> all;
  for (std::size_t index = 0; index < 30; ++index) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) all.insert(random_cuts(30000, index, seed));
  }
  EXPECT_GT(all.size(), 895U);  // single cuts may coincide
}

}  // namespace
}  // namespace splitproof::split::random_cuts_test
