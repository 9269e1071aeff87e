#include "harness/campaign/schedule.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <limits>
#include <vector>

namespace splitproof::campaign::schedule_test {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

bool never() { return false; }

TEST(Schedule, DealsJobsOutInOrder) {
  Schedule schedule({{0, false}, {1, false}, {0, true}, {1, false}}, {kAny, kAny});
  EXPECT_EQ(schedule.next(never), 0U);
  EXPECT_EQ(schedule.next(never), 1U);
  EXPECT_EQ(schedule.next(never), 3U) << "a late job waits";
  schedule.ended(0);
  EXPECT_EQ(schedule.next(never), 2U);
  EXPECT_EQ(schedule.next(never), std::nullopt);
  EXPECT_EQ(schedule.wanted(), 4U);
}

TEST(Schedule, PassesOverALaneThatIsFullOrClosed) {
  Schedule schedule({{0, false}, {0, false}, {1, false}, {1, false}, {2, false}}, {1, 2, 0});
  EXPECT_EQ(schedule.next(never), 0U);
  EXPECT_EQ(schedule.next(never), 2U);
  schedule.close(1);
  EXPECT_EQ(schedule.next(never), 4U) << "a lane has one place at least";
  schedule.ended(0);
  EXPECT_EQ(schedule.next(never), 1U);
  EXPECT_EQ(schedule.next(never), std::nullopt);
}

TEST(Schedule, DealsOutWhatStandsBeforeTheLast) {
  Schedule schedule({{0, false}, {1, false}, {1, false}, {0, false}}, {1, 1});
  EXPECT_EQ(schedule.next(never), 0U);
  EXPECT_EQ(schedule.next(never), 1U);
  schedule.ended(1);
  EXPECT_EQ(schedule.next(never), 2U);
  schedule.end_with(2);
  schedule.end_with(3);
  schedule.ended(0);
  EXPECT_EQ(schedule.next(never), std::nullopt);
  EXPECT_EQ(schedule.wanted(), 3U);
}

TEST(Schedule, WhatContinuesAnotherWaitsForIt) {
  Schedule schedule({{0, false}, {0, false}, {0, false, 0}, {0, false, 1}}, {kAny});
  EXPECT_EQ(schedule.next(never), 0U);
  EXPECT_EQ(schedule.next(never), 1U);
  schedule.ended(1);
  EXPECT_EQ(schedule.next(never), 3U);
  schedule.ended(0);
  EXPECT_EQ(schedule.next(never), 2U);
  EXPECT_EQ(schedule.next(never), std::nullopt);
}

TEST(Schedule, StopsWhoWaits) {
  Schedule schedule({{0, false}, {0, false}}, {1});
  std::atomic<bool> stop = false;
  EXPECT_EQ(schedule.next(never), 0U);
  auto waiting = std::async(std::launch::async, [&] { return schedule.next([&] { return stop.load(); }); });
  stop = true;
  schedule.ended(0);
  EXPECT_EQ(waiting.get(), std::nullopt);
}

// With many threads and few places, no lane exceeds its places, and every job runs once.
TEST(Schedule, KeepsToThePlaces) {
  const std::vector<std::size_t> places{1, 3, 2};
  std::vector<Schedule::Job> jobs;
  for (std::size_t i = 0; i < 600; ++i) jobs.push_back({i % 3, i >= 300});
  Schedule schedule(jobs, places);
  std::vector<std::atomic<std::size_t>> inside(3);
  std::vector<std::atomic<int>> done(jobs.size());
  std::atomic<bool> crowded = false;
  std::atomic<bool> early = false;
  std::vector<std::future<void>> threads;
  for (int thread = 0; thread < 6; ++thread) {
    threads.push_back(std::async(std::launch::async, [&] {
      while (const auto job = schedule.next(never)) {
        const std::size_t lane = jobs[*job].lane;
        if (++inside[lane] > places[lane]) crowded = true;
        if (jobs[*job].late) {
          for (std::size_t other = lane; other < 300; other += 3) {
            if (done[other] == 0) early = true;
          }
        }
        ++done[*job];
        --inside[lane];
        schedule.ended(*job);
      }
    }));
  }
  for (auto& thread : threads) thread.get();
  EXPECT_FALSE(crowded);
  EXPECT_FALSE(early);
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace splitproof::campaign::schedule_test
