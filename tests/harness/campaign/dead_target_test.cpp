#include "harness/campaign/dead_target.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace splitproof::campaign::dead_target_test {
namespace {

// Results of Silence when recordings end in this order (`.` an answer, `x` none), with answered trials or not, and its
// trials.
struct Told {
  std::optional<std::size_t> last;
  std::vector<std::size_t> trials;

  bool operator==(const Told&) const = default;
};

Told told(const std::string& recordings, const std::vector<std::size_t>& order, bool answers) {
  DeadTargetDetector silence(recordings.size());
  Told told;
  for (const std::size_t place : order) {
    silence.ended(place, recordings[place] == '.');
    while (const auto trial = silence.trial()) {
      told.trials.push_back(*trial);
      silence.tried(answers);
    }
  }
  told.last = silence.last();
  return told;
}

// Computes them by definition: the first three silent recordings in a row. The trial is the last answered one before,
// and its answer restarts the count.
Told defined(const std::string& recordings, bool answers) {
  Told told;
  std::size_t silent = 0;
  std::optional<std::size_t> good;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    if (recordings[i] == '.') good = i;
    silent = recordings[i] == 'x' ? silent + 1 : 0;
    if (silent < 3) continue;
    if (good) told.trials.push_back(*good);
    if (!good || !answers) {
      told.last = i;
      return told;
    }
    silent = 0;
  }
  return told;
}

TEST(DeadTargetDetector, DoesNotDependOnTheOrderInWhichRecordingsEnd) {
  std::mt19937 random(7);
  std::set<std::optional<std::size_t>> lasts;
  for (int round = 0; round < 2000; ++round) {
    std::string recordings(random() % 12, '.');
    for (char& c : recordings) c = ".xxx"[random() % 4];
    std::vector<std::size_t> order(recordings.size());
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    for (const bool answers : {false, true}) {
      EXPECT_EQ(told(recordings, order, answers), defined(recordings, answers)) << recordings;
      lasts.insert(defined(recordings, answers).last);
    }
  }
  EXPECT_GT(lasts.size(), 8U) << "the rounds are all alike";
}

TEST(DeadTargetDetector, WaitsForATrialThatIsUnderWay) {
  DeadTargetDetector silence(8);
  silence.ended(0, true);
  for (std::size_t i = 1; i < 4; ++i) silence.ended(i, false);
  ASSERT_EQ(silence.trial(), 0U);
  EXPECT_EQ(silence.trial(), std::nullopt) << "it is under way";
  for (std::size_t i = 4; i < 8; ++i) silence.ended(i, false);
  EXPECT_EQ(silence.last(), std::nullopt);
  silence.tried(true);
  EXPECT_EQ(silence.trial(), 0U) << "three more";
  silence.tried(false);
  EXPECT_EQ(silence.last(), 6U);
}

}  // namespace
}  // namespace splitproof::campaign::dead_target_test
