#include "proxy/server/upstream_call.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace splitproof::server::upstream_call_test {
namespace {

using Clock = std::chrono::system_clock;
using std::chrono::seconds;

TEST(UnixSeconds, TimesSince1970AreRoundedDown) {
  for (const std::int64_t at : {0, 1, 59, 1'700'000'000})
    EXPECT_EQ(unix_seconds(Clock::time_point(seconds(at))), static_cast<std::uint64_t>(at));
  EXPECT_EQ(unix_seconds(Clock::time_point(std::chrono::milliseconds(1999))), 1U);
}

TEST(UnixSeconds, TimeBefore1970IsNotFarInTheFuture) {
  for (const std::int64_t before : {1, 2, 86'400, 1'000'000'000})
    EXPECT_EQ(unix_seconds(Clock::time_point(seconds(-before))), 0U) << before;
  EXPECT_EQ(unix_seconds(Clock::time_point::min()), 0U);
}

}  // namespace
}  // namespace splitproof::server::upstream_call_test
