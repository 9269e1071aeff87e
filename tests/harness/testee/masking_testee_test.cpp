// Checks that MaskingTestee masks secrets and changes nothing more.
#include "harness/testee/masking_testee.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>

namespace splitproof::testee::masking_testee_test {
namespace {

// A testee whose traits change in start().
class Late final : public Testee {
 public:
  Late()
      : Testee({.name = "late",
                .client = "openai.chat",
                .upstream = "anthropic.messages",
                .over_http = true,
                .outside = true,
                .cannot = {"thinking"},
                .model = "m",
                .is_started_here = true,
                .max_concurrency = 1,
                .can_overlap = true}) {}

  Result<void> start() override {
    traits_.max_concurrency = 7;
    traits_.can_overlap = false;
    return {};
  }
  bool refuses(const recording::Recording&) const override { return true; }
  void limit_hangs(std::chrono::milliseconds total) override { *limit = total; }
  Observation observe(const Exchange&) const override {
    Observation seen;
    seen.body = "key sk-secret";
    return seen;
  }

  std::shared_ptr<std::chrono::milliseconds> limit = std::make_shared<std::chrono::milliseconds>(0);
};

TEST(MaskingTestee, HasTheTraitsOfTheOther) {
  MaskingTestee masked(std::make_unique<Late>(), {"sk-secret"});
  EXPECT_EQ(masked.traits(), Late().traits());
  ASSERT_TRUE(masked.start());
  Late started;
  ASSERT_TRUE(started.start());
  EXPECT_EQ(masked.traits(), started.traits());
  EXPECT_TRUE(masked.refuses({}));
  EXPECT_EQ(masked.observe({}).body.find("sk-secret"), std::string::npos);
}

TEST(MaskingTestee, PassesOnTheLimitOfHangs) {
  auto late = std::make_unique<Late>();
  const auto limit = late->limit;
  MaskingTestee masked(std::move(late), {});
  masked.limit_hangs(std::chrono::seconds(10));
  EXPECT_EQ(*limit, std::chrono::seconds(10));
}

}  // namespace
}  // namespace splitproof::testee::masking_testee_test
