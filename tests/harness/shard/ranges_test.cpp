#include "harness/shard/ranges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace splitproof::shard::ranges_test {
namespace {

constexpr std::uint64_t kSeed = 20261129;
constexpr std::size_t kCounts[] = {1, 2, 3, 5, 8, 16, 31, 32, 64, 100};

// Corpora with the sizes of real ones: many recordings of some hundred cases, and few that are much larger.
std::vector<Lot> corpus(std::size_t recordings, double spread, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> cases(5, spread);
  std::vector<Lot> lots;
  for (std::size_t i = 0; i < recordings; ++i)
    lots.push_back({"reference\nopenai.chat/recording-" + std::to_string(i),
                    3 + static_cast<std::size_t>(cases(random))});
  return lots;
}

std::size_t cases_of(const std::vector<Lot>& lots) {
  return std::accumulate(lots.begin(), lots.end(), std::size_t{0},
                         [](std::size_t sum, const Lot& lot) { return sum + lot.cases; });
}

std::size_t cases_of(const std::vector<CaseRange>& ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), std::size_t{0},
      [](std::size_t sum, const CaseRange& range) { return sum + range.end - range.begin; });
}

// Returns the shard of each case, lot by lot.
std::vector<std::vector<std::size_t>> shards_of(const std::vector<Lot>& lots, std::size_t count) {
  std::vector<std::vector<std::size_t>> shards;
  for (const Lot& lot : lots) shards.emplace_back(lot.cases, count);
  for (std::size_t number = 0; number < count; ++number) {
    const std::vector<CaseRange> ranges = ranges_of_shard(lots, number, count);
    for (std::size_t lot = 0; lot < lots.size(); ++lot)
      for (std::size_t at = ranges[lot].begin; at < ranges[lot].end; ++at) {
        EXPECT_EQ(shards[lot].at(at), count) << "two shards have a case of " << lots[lot].id;
        shards[lot].at(at) = number;
      }
  }
  for (std::size_t lot = 0; lot < lots.size(); ++lot)
    EXPECT_EQ(std::count(shards[lot].begin(), shards[lot].end(), count), 0) << "no shard: " << lots[lot].id;
  return shards;
}

TEST(Ranges, EveryCaseHasOneShard) {
  for (const std::size_t count : kCounts) {
    shards_of(corpus(100, 1.3, kSeed), count);
    shards_of({{"only", 1000}}, count);
    shards_of({{"a", 1}, {"b", 1}, {"c", 1}}, count);
    shards_of({}, count);
  }
}

TEST(Ranges, ShardsDifferByLessThanFivePercent) {
  for (const auto& lots : {corpus(400, 0.5, kSeed), corpus(1016, 1.3, kSeed), corpus(10, 0.5, kSeed),
                           std::vector<Lot>{{"only", 100000}}}) {
    for (const std::size_t count : kCounts) {
      const double share = static_cast<double>(cases_of(lots)) / static_cast<double>(count);
      for (std::size_t number = 0; number < count; ++number) {
        const auto cases = static_cast<double>(cases_of(ranges_of_shard(lots, number, count)));
        const double rounding = static_cast<double>(lots.size());
        EXPECT_NEAR(cases, share, std::max(0.05 * share, std::min(rounding, 8.0)))
            << number << " of " << count << " with " << lots.size() << " recordings";
      }
    }
  }
}

TEST(Ranges, AnotherRecordingMovesFewCases) {
  double worst = 0;
  for (const auto& all : {corpus(400, 0.5, kSeed), corpus(1016, 1.3, kSeed)}) {
    for (const std::size_t count : {3, 16, 64}) {
      const auto with = shards_of(all, count);
      for (std::size_t out = 0; out < all.size(); out += 41) {
        std::vector<Lot> fewer = all;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(out));
        const auto without = shards_of(fewer, count);
        std::size_t moved = 0;
        for (std::size_t lot = 0; lot < fewer.size(); ++lot) {
          const auto& before = without[lot];
          const auto& after = with[lot + (lot >= out ? 1 : 0)];
          for (std::size_t at = 0; at < before.size(); ++at) moved += before[at] != after[at] ? 1 : 0;
        }
        const double bound = 2.0 / static_cast<double>(count) * static_cast<double>(cases_of(fewer));
        EXPECT_LE(static_cast<double>(moved), bound) << all[out].id << " in " << count << " shards";
        worst = std::max(worst, static_cast<double>(moved) / bound);
      }
    }
  }
  std::cout << "seed " << kSeed << ": at most " << worst << " of the bound\n";
}

// Each cut recording costs a baseline, and makes the reports larger.
TEST(Ranges, ManyShardsHaveFewRecordingsEach) {
  const std::vector<Lot> lots = corpus(500, 0.5, kSeed);
  for (const std::size_t count : {65, 100, 1000}) {
    std::size_t parts = 0;
    for (std::size_t number = 0; number < count; ++number) {
      const std::vector<CaseRange> ranges = ranges_of_shard(lots, number, count);
      EXPECT_NEAR(static_cast<double>(cases_of(ranges)), static_cast<double>(cases_of(lots) / count), 1.0);
      parts += static_cast<std::size_t>(
          std::count_if(ranges.begin(), ranges.end(), [](const CaseRange& range) { return !range.empty(); }));
    }
    EXPECT_LT(parts, lots.size() + count);
  }
}

TEST(Ranges, OrderOfRecordingsDoesNotMatter) {
  std::vector<Lot> lots = corpus(50, 1, kSeed);
  const std::vector<CaseRange> ranges = ranges_of_shard(lots, 2, 7);
  std::reverse(lots.begin(), lots.end());
  std::vector<CaseRange> reversed = ranges_of_shard(lots, 2, 7);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_TRUE(ranges == reversed);
}

TEST(Ranges, RecordingLargerThanShareIsDivided) {
  std::vector<Lot> lots = corpus(20, 0.5, kSeed);
  lots.push_back({"large", cases_of(lots)});
  std::size_t holders = 0;
  for (std::size_t number = 0; number < 4; ++number)
    holders += ranges_of_shard(lots, number, 4).back().empty() ? 0 : 1;
  EXPECT_EQ(holders, 4U);
}

TEST(Ranges, UndividedRecordingsHaveOneShard) {
  const std::vector<Lot> lots = corpus(100, 1.3, kSeed);
  for (const std::size_t count : kCounts) {
    std::vector<std::size_t> holders(lots.size());
    for (std::size_t number = 0; number < count; ++number) {
      const std::vector<CaseRange> ranges = ranges_of_shard(lots, number, count, Division::never);
      for (std::size_t lot = 0; lot < lots.size(); ++lot) {
        if (ranges[lot].empty()) continue;
        ++holders[lot];
        EXPECT_EQ(ranges[lot], (CaseRange{0, lots[lot].cases}));
      }
    }
    EXPECT_EQ(std::count(holders.begin(), holders.end(), 1), static_cast<std::ptrdiff_t>(lots.size()));
  }
}

// Other machines must compute the same. A change of these numbers divides running campaigns.
TEST(Ranges, ResultIsTheSameOnEveryMachine) {
  const std::vector<Lot> lots{{"reference\na", 100}, {"reference\nb", 50}, {"reference\nc", 7}};
  std::string ranges;
  for (std::size_t number = 0; number < 3; ++number)
    for (const CaseRange& range : ranges_of_shard(lots, number, 3))
      ranges += std::to_string(range.begin) + "-" + std::to_string(range.end) + " ";
  EXPECT_EQ(ranges, "66-100 16-33 2-4 0-33 33-50 4-7 33-66 0-16 0-2 ");
}

}  // namespace
}  // namespace splitproof::shard::ranges_test
