// Checks how Instances deals series of exchanges to its instances.
#include "harness/testee/instances.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace splitproof::testee::instances_test {
namespace {

// Reports its number as the body. Takes two exchanges at once after start().
class Numbered final : public Testee {
 public:
  Numbered(int number, std::string trouble)
      : Testee({.name = "numbered", .client = "openai.chat", .upstream = "openai.chat"}),
        number_(number),
        trouble_(std::move(trouble)) {
    traits_.max_concurrency = 1;
  }
  Result<void> start() override {
    if (!trouble_.empty()) return tl::unexpected(Error{trouble_, {}, 0, {}});
    traits_.max_concurrency = 2;
    traits_.can_overlap = number_ != 1;
    return {};
  }
  std::string remark() const override { return number_ == 2 ? "restarted 1 time" : "version: 1"; }
  std::vector<UnattributedFailure> mishaps() const override {
    return {{Ending::crashed, std::to_string(number_), {}, {}}};
  }
  Observation observe(const Exchange&) const override {
    Observation seen;
    seen.body = std::to_string(number_);
    return seen;
  }

 private:
  const int number_;
  const std::string trouble_;
};

// Instances are numbered from 0. The one at `broken` cannot start.
Instances three(int broken = -1) {
  int made = 0;
  return Instances(3, [&] {
    const int number = made++;
    return std::make_unique<Numbered>(number, number == broken ? "no licence" : "");
  });
}

TEST(Instances, HaveThePlacesOfAll) {
  Instances all = three();
  EXPECT_EQ(all.traits().instances, 3U);
  ASSERT_TRUE(all.start());
  EXPECT_EQ(all.traits().max_concurrency, 6U);
  EXPECT_FALSE(all.traits().can_overlap) << "one of them cannot";
  EXPECT_EQ(all.traits().instances, 3U);
  EXPECT_EQ(all.remark(), "3 instances; version: 1; instance 3: restarted 1 time");
  EXPECT_EQ(all.mishaps().size(), 3U);
}

TEST(Instances, FailedStartNamesTheInstance) {
  for (const int broken : {0, 1, 2}) {
    Instances all = three(broken);
    const Result<void> started = all.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().what, "instance " + std::to_string(broken + 1) + " of 3: no licence");
  }
}

TEST(Instances, GetNoMoreClaimsThanPlacesEach) {
  Instances all = three();
  ASSERT_TRUE(all.start());
  std::map<const Testee*, std::size_t> claims;
  std::vector<std::unique_ptr<InstanceClaim>> held;
  for (int i = 0; i < 6; ++i) {
    held.push_back(std::make_unique<InstanceClaim>(all));
    ++claims[&held.back()->instance()];
    if (i == 2) {
      EXPECT_EQ(claims.size(), 3U) << "free instances come first";
    }
  }
  EXPECT_EQ(claims.size(), 3U);
  for (const auto& [instance, count] : claims) EXPECT_EQ(count, 2U);
  const Testee& freed = held[4]->instance();
  held.erase(held.begin() + 4);
  EXPECT_EQ(&InstanceClaim(all).instance(), &freed);
}

TEST(Instances, SingleExchangeAvoidsClaimedInstances) {
  Instances all = three();
  ASSERT_TRUE(all.start());
  const InstanceClaim first(all);
  const InstanceClaim second(all);
  EXPECT_EQ(all.observe({}).body, "2");
  EXPECT_EQ(first.instance().observe({}).body, "0");
  EXPECT_EQ(second.instance().observe({}).body, "1");
}

}  // namespace
}  // namespace splitproof::testee::instances_test
