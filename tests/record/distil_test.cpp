// Few recordings keep all features, and features say how recordings differ.

#include "harness/record/distil.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/recording/corpus.hpp"

namespace splitproof::record::distil_test {
namespace {

Features all_of(const std::vector<DistilCandidate>& candidates) {
  Features all;
  for (const DistilCandidate& one : candidates) all.insert(one.features.begin(), one.features.end());
  return all;
}

std::vector<std::string> paths_of(const std::vector<DistilCandidate>& candidates) {
  std::vector<std::string> paths;
  for (const KeptRecording& one : distil(candidates)) paths.push_back(candidates[one.candidate].path);
  return paths;
}

TEST(Distil, KeepsTheRecordingThatAddsMostThenTheSmallest) {
  EXPECT_EQ(paths_of({{"a", 10, {"x"}}, {"b", 20, {"x", "y"}}, {"c", 5, {"x", "y"}}, {"d", 1, {"z"}}}),
            (std::vector<std::string>{"c", "d"}));
  EXPECT_TRUE(distil({}).empty());
}

TEST(Distil, LeavesOutWhatLaterRecordingsMadeSuperfluous) {
  // The greedy search takes "most" first. The two others together have all that it has.
  EXPECT_EQ(
      paths_of(
          {{"most", 1, {"a", "b", "c", "d"}}, {"left", 1, {"a", "b", "p"}}, {"right", 1, {"c", "d", "q"}}}),
      (std::vector<std::string>{"left", "right"}));
}

TEST(Distil, DoesNotDependOnTheOrder) {
  std::vector<DistilCandidate> candidates;
  for (std::size_t i = 0; i < 60; ++i) {
    DistilCandidate one{"r" + std::to_string(i), i % 7, {}};
    for (std::size_t feature = 0; feature < 30; ++feature)
      if ((i * 31 + feature * 17) % 11 < 3) one.features.insert(std::to_string(feature));
    candidates.push_back(one);
  }
  const std::vector<std::string> paths = paths_of(candidates);
  std::reverse(candidates.begin(), candidates.end());
  EXPECT_EQ(paths_of(candidates), paths);
  EXPECT_LT(paths.size(), 20u);
}

TEST(Distil, KeepsAllFeaturesOfTheCorpus) {
  const std::filesystem::path root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  const auto contracts = contract::Contracts::load({root / "contracts"});
  ASSERT_TRUE(contracts);
  const auto profile = contract::load_profile("default", {root / "contracts"});
  ASSERT_TRUE(profile);
  std::vector<DistilCandidate> candidates;
  for (const dialect::Dialect& one_dialect : dialect::all()) {
    const auto folder = root / "corpus" / one_dialect.protocol;
    if (one_dialect.upstream == nullptr || !std::filesystem::is_directory(folder)) continue;
    for (const recording::Recording& one : recording::load_corpus({folder.string()}).recordings)
      candidates.push_back({one.path, one.body.size(), features_of(one, *contracts, *profile)});
  }
  ASSERT_GT(candidates.size(), 300u);
  std::vector<DistilCandidate> kept;
  Features added;
  for (const KeptRecording& one : distil(candidates)) {
    kept.push_back(candidates[one.candidate]);
    for (const std::string& feature : one.adds) EXPECT_TRUE(added.insert(feature).second) << feature;
  }
  EXPECT_EQ(all_of(kept), all_of(candidates));
  EXPECT_EQ(added, all_of(candidates));
  EXPECT_LT(kept.size(), candidates.size());
  // Rules about empty answers need one.
  EXPECT_TRUE(added.contains("part none"));
  // Every kind of feature occurs.
  for (const char* kind :
       {"rule ", "violates ", "seam ", "shape ", "part ", "note ", "finish ", "event ", "field ", "end "}) {
    EXPECT_TRUE(std::any_of(added.begin(), added.end(), [&](const std::string& one) {
      return one.starts_with(kind);
    })) << kind;
  }
}

TEST(Distil, SummaryNamesTheShapes) {
  EXPECT_EQ(summary_of({"rule A-1", "rule A-2", "seam utf8-2", "field /a null", "shape tool-late",
                        "part text", "end complete"}),
            "2 rules, 1 seam, 1 field; part text; shape tool-late");
}

}  // namespace
}  // namespace splitproof::record::distil_test
