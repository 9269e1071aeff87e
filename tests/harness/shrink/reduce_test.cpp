#include "harness/shrink/reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/split/random_cuts.hpp"

namespace splitproof::shrink::reduce_test {
namespace {

// Makes every byte a piece.
std::vector<Pieces> bytes_of(const Candidate& draft) {
  Pieces pieces;
  for (std::size_t at = 0; at < draft.body.size(); ++at) pieces.push_back({{at, at + 1}});
  return {pieces};
}

std::string text_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('A' + i % 58);
  return text;
}

std::set<char> drawn(split::SplitMix64& random, std::size_t most) {
  std::set<char> some;
  for (std::size_t i = random.below(most + 1); i > 0; --i)
    some.insert(static_cast<char>('A' + random.below(58)));
  return some;
}

TEST(Reduce, KeepsWhatTheFailureNeedsAndNothingElse) {
  split::SplitMix64 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::set<char> needed = drawn(random, 6);
    const Reduced reduced = reduce(
        {text_of(58), {}}, {{bytes_of}},
        [&](const Candidate& draft) {
          return std::all_of(needed.begin(), needed.end(),
                             [&](char c) { return draft.body.find(c) != draft.body.npos; });
        },
        1000);
    EXPECT_EQ(reduced.draft.body, std::string(needed.begin(), needed.end()));
    EXPECT_FALSE(reduced.exhausted);
  }
}

// Also if the removable pieces depend on earlier removals.
TEST(Reduce, IsMinimalWhateverThePredicate) {
  split::SplitMix64 random(2);
  for (int round = 0; round < 300; ++round) {
    const std::set<char> odd = drawn(random, 20), needed = drawn(random, 4);
    const auto fails = [&](const Candidate& draft) {
      std::size_t some = 0;
      for (const char c : draft.body) some += odd.count(c);
      return some % 2 == odd.size() % 2 && draft.cuts.size() >= needed.size() / 2 &&
             std::all_of(needed.begin(), needed.end(),
                         [&](char c) { return draft.body.find(c) != draft.body.npos; });
    };
    const Candidate first{text_of(58), split::random_cuts(58, static_cast<std::size_t>(round), 1)};
    if (!fails(first)) continue;
    std::set<std::pair<std::string, split::Cuts>> asked;
    const Reduced reduced = reduce(
        first, {{bytes_of}},
        [&](const Candidate& draft) {
          EXPECT_TRUE(asked.emplace(draft.body, draft.cuts).second) << "asked twice";
          return fails(draft);
        },
        100000);
    EXPECT_EQ(reduced.tries, asked.size());
    ASSERT_FALSE(reduced.exhausted);
    const Candidate& small = reduced.draft;
    EXPECT_TRUE(fails(small));
    for (std::size_t at = 0; at < small.body.size(); ++at)
      EXPECT_FALSE(fails(without(small, {{at, at + 1}})));
    for (std::size_t i = 0; i < small.cuts.size(); ++i) {
      Candidate fewer = small;
      fewer.cuts.erase(fewer.cuts.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(fails(fewer));
    }
  }
}

TEST(Reduce, StopsWhereTheTriesAreUsedUp) {
  const auto fails = [](const Candidate& draft) { return draft.body.find('Q') != draft.body.npos; };
  for (std::size_t most = 0; most < 40; ++most) {
    std::size_t asked = 0;
    const Reduced reduced = reduce(
        {text_of(58), {5, 9}}, {{bytes_of}},
        [&](const Candidate& draft) {
          ++asked;
          return fails(draft);
        },
        most);
    EXPECT_EQ(reduced.tries, asked);
    EXPECT_LE(asked, most);
    EXPECT_TRUE(fails(reduced.draft));
    if (reduced.exhausted) continue;
    EXPECT_EQ(reduced.draft, (Candidate{"Q", {}}));
    EXPECT_GT(most, 5U);
    return;
  }
  FAIL() << "forty tries suffice";
}

TEST(Reduce, OfBytesThatMatterNoneIsCostlyToFind) {
  const std::string body(4000, 'x');
  const Reduced reduced = reduce(
      {body + "!" + body, {}}, {{bytes_of}},
      [](const Candidate& draft) { return draft.body.find('!') != draft.body.npos; }, 100000);
  EXPECT_EQ(reduced.draft.body, "!");
  EXPECT_LT(reduced.tries, 60U);
}

TEST(Reduce, TakesASetThatFollowsOneThatIsGone) {
  // One set for each letter, so that the sets after a removed one move up.
  const ReductionPass each = [](const Candidate& draft) {
    std::vector<Pieces> sets;
    for (std::size_t at = 0; at < draft.body.size(); ++at) sets.push_back({{{at, at + 1}}});
    return sets;
  };
  std::size_t asked = 0;
  const Reduced reduced = reduce(
      {"abcde", {}}, {{each}},
      [&](const Candidate& draft) {
        ++asked;
        return draft.body.find('c') != draft.body.npos;
      },
      100);
  EXPECT_EQ(reduced.draft.body, "c");
  EXPECT_EQ(asked, 6U) << "each letter, and what is left once more";
}

TEST(Reduce, FollowsRewritersThatStillFail) {
  const Rewriter halves = [](const Candidate& draft) {
    std::vector<Candidate> all;
    if (draft.body.size() > 1) {
      all.push_back({std::string(draft.body.size() / 2, 'b'), {}});
      all.push_back({std::string(draft.body.size() / 2, 'a'), {}});
    }
    return all;
  };
  const auto only_a = [](const Candidate& draft) { return draft.body.find('b') == draft.body.npos; };
  EXPECT_EQ(reduce({"aaaaaaaa", {}}, {{}, {halves}}, only_a, 100).draft.body, "a");
}

TEST(Reduce, LeavesCutsAloneWhereItIsTold) {
  const auto always = [](const Candidate&) { return true; };
  EXPECT_EQ(reduce({"abc", {1, 2}}, {{}, {}, false}, always, 100).draft, (Candidate{"abc", {1, 2}}));
  EXPECT_EQ(reduce({"abc", {1, 2}}, {{}, {}, true}, always, 100).draft, (Candidate{"abc", {}}));
}

}  // namespace
}  // namespace splitproof::shrink::reduce_test
