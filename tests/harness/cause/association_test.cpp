#include "harness/cause/association.hpp"

#include <gtest/gtest.h>

namespace splitproof::cause {
namespace {

constexpr std::size_t kA = 0;
constexpr std::size_t kB = 1;

struct Counts {
  std::size_t both, only_a, only_b, neither;
};

// `b` is exercised in every case.
bool comes_with(const Counts& counts, std::size_t enough = 3) {
  Association association(2, counts.both + counts.only_a + counts.only_b + counts.neither);
  std::size_t i = 0;
  const auto add = [&](std::size_t times, bool a, bool b) {
    for (; times > 0; --times, ++i) {
      if (a) association.set_violated(kA, i);
      if (b) {
        association.set_violated(kB, i);
      } else {
        association.set_met(kB, i);
      }
    }
  };
  add(counts.both, true, true);
  add(counts.only_a, true, false);
  add(counts.only_b, false, true);
  add(counts.neither, false, false);
  return association.comes_with(kB, kA, enough);
}

TEST(Association, NeedsTheOtherToBeThereUsually) {
  EXPECT_TRUE(comes_with({100, 0, 0, 100}));
  EXPECT_TRUE(comes_with({80, 20, 0, 100}));
  EXPECT_FALSE(comes_with({79, 21, 0, 100}));
}

TEST(Association, NeedsItToBeRarerWithout) {
  EXPECT_TRUE(comes_with({100, 0, 60, 40}));
  EXPECT_FALSE(comes_with({100, 0, 61, 39}))
      << "what is violated nearly always comes of nothing in particular";
  EXPECT_FALSE(comes_with({1, 0, 999, 1}, 1));
}

TEST(Association, NeedsEnoughCases) {
  EXPECT_FALSE(comes_with({2, 0, 0, 100}));
  EXPECT_TRUE(comes_with({3, 0, 0, 100}));
  EXPECT_TRUE(comes_with({1, 0, 0, 100}, 1));
  EXPECT_FALSE(comes_with({0, 0, 0, 100}, 1));
}

TEST(Association, WithNothingToCompareWithNobodyKnows) {
  EXPECT_FALSE(comes_with({100, 0, 0, 2}));
  EXPECT_TRUE(comes_with({100, 0, 0, 3}));
}

TEST(Association, CasesThatDoNotExerciseItDoNotCount) {
  Association association(2, 130);  // more than a word of bits
  for (std::size_t i = 0; i < 130; ++i) {
    if (i % 2 == 0) association.set_violated(kA, i);
    if (i % 4 == 0) association.set_violated(kB, i);
    if (i % 4 == 1) association.set_met(kB, i);
  }
  EXPECT_TRUE(association.comes_with(kB, kA, 3)) << "half of the cases with the other say nothing of it";
  EXPECT_EQ(association.violations(kA), 65U);
  EXPECT_EQ(association.violations(kB), 33U);
}

}  // namespace
}  // namespace splitproof::cause
