#include "harness/shrink/candidate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/split/random_cuts.hpp"

namespace splitproof::shrink::candidate_test {
namespace {

// The same in a slow way: byte by byte.
Candidate without_slowly(const Candidate& draft, const std::vector<PieceRange>& ranges) {
  Candidate left;
  std::set<std::size_t> cuts;
  for (std::size_t at = 0; at <= draft.body.size(); ++at) {
    if (std::find(draft.cuts.begin(), draft.cuts.end(), at) != draft.cuts.end())
      cuts.insert(left.body.size());
    if (at == draft.body.size()) break;
    const bool gone = std::any_of(ranges.begin(), ranges.end(), [at](const PieceRange& range) {
      return at >= range.begin && at < range.end;
    });
    if (!gone) left.body += draft.body[at];
  }
  for (const std::size_t cut : cuts)
    if (cut > 0 && cut < left.body.size()) left.cuts.push_back(cut);
  return left;
}

TEST(Without, KeepsCutsBetweenTheBytesThatStay) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  split::SplitMix64 random(7);
  for (std::size_t round = 0; round < 2000; ++round) {
    const Candidate draft{letters, split::random_cuts(letters.size(), round, 3)};
    std::vector<PieceRange> ranges;
    for (std::size_t i = random.below(5); i > 0; --i) {
      const std::size_t begin = random.below(letters.size());
      ranges.push_back({begin, begin + random.below(letters.size() + 1 - begin)});
    }
    const Candidate left = without(draft, ranges);
    EXPECT_EQ(left, without_slowly(draft, ranges)) << round;
    EXPECT_TRUE(split::check_cuts(left.cuts, left.body.size())) << round;
  }
}

TEST(Without, NothingIsTheDraftItself) {
  const Candidate draft{"abc", {1, 2}};
  EXPECT_EQ(without(draft, {}), draft);
  EXPECT_EQ(without(draft, {{0, 3}}), Candidate());
  EXPECT_EQ(without(draft, {{1, 2}}), (Candidate{"ac", {1}}));
}

}  // namespace
}  // namespace splitproof::shrink::candidate_test
