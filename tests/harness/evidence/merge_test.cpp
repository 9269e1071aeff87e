#include "harness/evidence/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace splitproof::evidence::merge_test {
namespace {

StoredExchange exchange(const std::string& case_id, const std::string& answer, std::size_t cases = 1) {
  StoredExchange one;
  one.case_id = case_id;
  one.cases = cases;
  one.upstream = "data: 1\n\n";
  one.seen.body = answer;
  return one;
}

PlacedEvidence part(const std::string& path, std::size_t begin, std::vector<StoredExchange> exhibits) {
  PlacedEvidence one;
  one.path = path;
  one.evidence.testee.name = "t";
  one.evidence.profile = "default";
  one.evidence.begin = begin;
  one.evidence.exhibits = std::move(exhibits);
  return one;
}

std::vector<PlacedEvidence> three_parts() {
  return {part("a", 0, {exchange("base", "x", 0), exchange("one", "x", 3), exchange("two", "y")}),
          part("b", 4, {exchange("base", "x", 0), exchange("three", "z", 2)}),
          part("c", 6, {exchange("base", "x", 0), exchange("four", "x")})};
}

TEST(MergeEvidence, CasesHaveTheOrderOfTheRun) {
  std::vector<PlacedEvidence> parts = three_parts();
  std::vector<int> order = {0, 1, 2, 1};  // one of them twice
  std::sort(order.begin(), order.end());
  do {
    std::vector<PlacedEvidence> shuffled;
    for (const int index : order) shuffled.push_back(parts[static_cast<std::size_t>(index)]);
    const auto merged = merge(shuffled);
    ASSERT_TRUE(merged) << describe(merged.error());
    EXPECT_EQ(merged->begin, 0U);
    std::string cases;
    for (const StoredExchange& one : merged->exhibits) cases += one.case_id + std::to_string(one.cases) + " ";
    EXPECT_EQ(cases, "base0 one3 two1 three2 four1 ");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(MergeEvidence, MergedEvidenceCanBeMergedAgain) {
  const std::vector<PlacedEvidence> parts = three_parts();
  const Evidence whole = merge(parts).value();
  const Evidence two = merge({parts[0], parts[1]}).value();
  EXPECT_EQ(merge({{"two", two}, parts[2], parts[1]}).value(), whole);
}

TEST(MergeEvidence, OneCaseWithTwoObservationsIsRefused) {
  std::vector<PlacedEvidence> parts = three_parts();
  parts.push_back(part("d", 6, {exchange("four", "another answer")}));
  const auto merged = merge(parts);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().file, "d");
  EXPECT_EQ(merged.error().what, "has another observation of the case four than c");
  // Each shard observes the baseline, so its times may differ.
  parts.pop_back();
  parts.push_back(part("d", 9, {exchange("base", "another answer", 0)}));
  EXPECT_TRUE(merge(parts));
}

TEST(MergeEvidence, AnotherTargetProfileOrRecordingIsRefused) {
  const auto says = [](auto change) {
    std::vector<PlacedEvidence> parts = three_parts();
    change(parts[1].evidence);
    const auto merged = merge(parts);
    return merged ? std::string() : describe(merged.error());
  };
  EXPECT_EQ(says([](Evidence&) {}), "");
  EXPECT_NE(says([](Evidence& one) {
              one.testee.name = "u";
            }).find("b: the evidence is of another run than a: target is 'u' and 't'"),
            std::string::npos);
  EXPECT_NE(says([](Evidence& one) { one.profile = "strict"; }).find("profile is 'strict' and 'default'"),
            std::string::npos);
  EXPECT_NE(
      says([](Evidence& one) { one.testee.cannot = {"thinking"}; }).find("another text of the recording"),
      std::string::npos);
  EXPECT_NE(says([](Evidence& one) { one.recording.emplace().id = "r"; }).find("recording is 'r' and ''"),
            std::string::npos);
}

PlacedManifest shard(std::size_t number) {
  PlacedManifest one;
  one.path = "seen/" + std::to_string(number);
  one.manifest.version = "1";
  one.manifest.profile = "default";
  one.manifest.contracts = {{"a.yaml", "1"}};
  one.manifest.plan = "0123456789abcdef";
  one.manifest.of = 4;
  one.manifest.shards = {number};
  one.manifest.targets = {"t"};
  return one;
}

TEST(MergeEvidence, ManifestsNameTheMissingShards) {
  const auto merged = merge(std::vector{shard(4), shard(2), shard(4)});
  ASSERT_TRUE(merged) << describe(merged.error());
  EXPECT_EQ(missing_shards(*merged), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(*merged, merge(std::vector{shard(2), shard(4)}).value());
  EXPECT_TRUE(missing_shards(Manifest()).empty());
}

TEST(MergeEvidence, AnotherPlanIsRefusedWithItsField) {
  const auto says = [](auto change) {
    std::vector<PlacedManifest> parts{shard(1), shard(2), shard(3)};
    change(parts[2].manifest);
    const auto merged = merge(parts);
    return merged ? std::string() : describe(merged.error());
  };
  EXPECT_EQ(says([](Manifest&) {}), "");
  const std::string seed = says([](Manifest& one) { one.seed = 7; });
  EXPECT_NE(seed.find("seen/3: the evidence is of another run than seen/1: seed is '7' and '0'"),
            std::string::npos)
      << seed;
  EXPECT_NE(says([](Manifest& one) { one.of = 5; }).find("number of shards is '5' and '4'"),
            std::string::npos);
  EXPECT_NE(says([](Manifest& one) {
              one.contracts["a.yaml"] = "2";
            }).find("contracts is 'a.yaml 2' and 'a.yaml 1'"),
            std::string::npos);
  EXPECT_NE(
      says([](Manifest& one) { one.plan = "other"; }).find("--fail-fast) is 'other' and '0123456789abcdef'"),
      std::string::npos);
}

}  // namespace
}  // namespace splitproof::evidence::merge_test
