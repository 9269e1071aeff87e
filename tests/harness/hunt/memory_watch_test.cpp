#include "harness/hunt/memory_watch.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace splitproof::hunt::memory_watch_test {
namespace {

constexpr std::size_t kMega = std::size_t{1} << 20;

std::optional<MemoryGrowth> growth_of(std::size_t samples,
                                      const std::function<std::size_t(std::size_t)>& megabytes) {
  MemoryWatch watch;
  for (std::size_t i = 0; i < samples; ++i) watch.note(i * 64, megabytes(i) * kMega);
  return watch.growth();
}

TEST(MemoryWatch, SteadyGrowthIsFound) {
  const auto growth = growth_of(200, [](std::size_t i) { return 50 + i; });
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->from, 150 * kMega);
  EXPECT_EQ(growth->to, 225 * kMega);
  EXPECT_EQ(growth->cases, 75U * 64U);
}

TEST(MemoryWatch, GrowthUnderACollectorIsFound) {
  EXPECT_TRUE(growth_of(200, [](std::size_t i) { return 50 + i + (i % 7) * 20; }));
}

TEST(MemoryWatch, OtherCoursesAreNoGrowth) {
  EXPECT_FALSE(growth_of(200, [](std::size_t) { return 500; }));
  EXPECT_FALSE(growth_of(200, [](std::size_t i) { return i < 60 ? 50 + 10 * i : 650; })) << "it warms up";
  EXPECT_FALSE(growth_of(200, [](std::size_t i) { return 50 + 30 * (i % 20); })) << "a collector frees all";
  EXPECT_FALSE(growth_of(200, [](std::size_t i) { return 50 + i / 10; })) << "little";
  EXPECT_FALSE(growth_of(200, [](std::size_t i) { return 5000 + i; })) << "little for its size";
  EXPECT_FALSE(growth_of(kLeastSamples - 1, [](std::size_t i) { return 50 + 50 * i; })) << "few measurements";
  EXPECT_TRUE(growth_of(kLeastSamples, [](std::size_t i) { return 50 + 50 * i; }));
}

}  // namespace
}  // namespace splitproof::hunt::memory_watch_test
