#include "harness/cause/co_occurrence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/obligation.hpp"

namespace splitproof::cause::co_occurrence_test {
namespace {

using contract::Obligation;
using results::RecordingResult;

constexpr std::size_t kA = 0;
constexpr std::size_t kB = 1;

// Recordings with original chunks, each with its violated rules. The other exercised rules are met.
class Made {
 public:
  explicit Made(std::size_t rules) : rules_(rules) {
    for (std::size_t i = 0; i < rules; ++i) {
      rules_[i].id = "R-" + std::to_string(i);
      by_id_[rules_[i].id] = rules_[i];
    }
  }

  Made& add(std::size_t times, const std::set<std::size_t>& violates, const std::set<std::size_t>& asked) {
    for (; times > 0; --times) {
      RecordingResult& result = results_.emplace_back();
      for (const results::Rule& rule : rules_) result.rows.emplace_back().rule = rule.id;
      turns_out("gen=whole", violates, asked);
    }
    return *this;
  }

  // Adds another case of the last recording.
  Made& turns_out(const std::string& how, const std::set<std::size_t>& violates,
                  const std::set<std::size_t>& asked) {
    results::Behaviour& behaviour = results_.back().behaviours.emplace_back();
    behaviour.case_id = "r?client=c&" + how;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (violates.count(i) != 0) {
        behaviour.symptoms.emplace_back().rule = rules_[i].id;
      } else if (asked.count(i) != 0) {
        behaviour.meets.push_back(rules_[i].id);
      }
    }
    return *this;
  }

  // For two rules that are exercised everywhere: the numbers of recordings by their violations.
  Made& two(std::size_t both, std::size_t only_a, std::size_t only_b, std::size_t neither) {
    const std::set<std::size_t> asked = {kA, kB};
    return add(both, {kA, kB}, asked)
        .add(only_a, {kA}, asked)
        .add(only_b, {kB}, asked)
        .add(neither, {}, asked);
  }

  CoOccurrence together() const { return CoOccurrence(items(), *signs()); }

  // By rule; a rule without violations has none.
  std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> all(rules_.size(), rules_.size());
    const auto known = signs();
    for (std::size_t sign = 0; sign < known->size(); ++sign)
      all[std::stoul((*known)[sign].rule->id.substr(2))] = sign;
    return all;
  }

 private:
  std::vector<const RecordingResult*> pointers() const {
    std::vector<const RecordingResult*> all;
    for (const RecordingResult& result : results_) all.push_back(&result);
    return all;
  }
  std::unique_ptr<ViolationKinds> signs() const {
    return std::make_unique<ViolationKinds>(pointers(), by_id_, false);
  }
  std::vector<BehaviourSample> items() const { return samples_of(pointers(), *signs(), false); }

  std::vector<results::Rule> rules_;
  results::Rules by_id_;
  std::deque<RecordingResult> results_;
};

struct Counts {
  std::size_t both, only_a, only_b, neither;
};

bool b_comes_with_a(const Counts& counts) {
  return Made(2).two(counts.both, counts.only_a, counts.only_b, counts.neither).together().comes_with(kB, kA);
}

bool b_is_inside_a(const Counts& counts) {
  return Made(2).two(counts.both, counts.only_a, counts.only_b, counts.neither).together().is_inside(kB, kA);
}

bool stands(std::size_t shows, std::size_t meets, std::size_t not_asked) {
  return Made(1).add(shows, {0}, {0}).add(meets, {}, {0}).add(not_asked, {}, {}).together().stands(0);
}

TEST(CoOccurrence, ItemComesWithItsUsualCompanion) {
  EXPECT_TRUE(b_comes_with_a({100, 0, 0, 100}));
  EXPECT_TRUE(b_comes_with_a({80, 20, 0, 100}));
  EXPECT_FALSE(b_comes_with_a({79, 21, 0, 100}));
}

TEST(CoOccurrence, ComesWithWhatItIsRarerWithout) {
  EXPECT_TRUE(b_comes_with_a({100, 0, 60, 40}));
  EXPECT_FALSE(b_comes_with_a({100, 0, 61, 39}))
      << "what is violated nearly always comes of nothing in particular";
}

TEST(CoOccurrence, NothingIsConcludedFromTooFewRecordings) {
  EXPECT_FALSE(b_comes_with_a({100, 0, 0, 2}));
  EXPECT_TRUE(b_comes_with_a({100, 0, 0, 3}));
}

TEST(CoOccurrence, RecordingsThatDoNotAskForItDoNotCount) {
  Made made(2);
  made.add(33, {kA, kB}, {}).add(32, {kA}, {}).add(40, {}, {kB}).add(40, {}, {});
  EXPECT_TRUE(made.together().comes_with(kB, kA)) << "half of the cases with the other say nothing of it";
  made.add(9, {kA}, {kB});
  EXPECT_FALSE(made.together().comes_with(kB, kA));
}

TEST(CoOccurrence, IsInsideWhatShowsMoreOften) {
  EXPECT_TRUE(b_is_inside_a({4, 2, 1, 0}));
  EXPECT_FALSE(b_is_inside_a({3, 3, 1, 0})) << "one of four shows without";
  EXPECT_FALSE(b_is_inside_a({4, 0, 1, 0})) << "it is the one that shows more often";
}

TEST(CoOccurrence, SecondItemIsInsideIfBothAlwaysShowTogether) {
  const CoOccurrence together = Made(2).two(5, 0, 0, 5).together();
  EXPECT_TRUE(together.is_inside(kB, kA));
  EXPECT_FALSE(together.is_inside(kA, kB));
}

TEST(CoOccurrence, SignIsNearUniversalIfMostRecordingsShowIt) {
  EXPECT_TRUE(stands(20, 0, 0));
  EXPECT_FALSE(stands(19, 0, 0)) << "too few";
  EXPECT_TRUE(stands(61, 39, 0));
  EXPECT_FALSE(stands(60, 40, 0));
  EXPECT_TRUE(stands(31, 0, 69));
  EXPECT_FALSE(stands(30, 0, 70)) << "too few of all";
}

TEST(CoOccurrence, OnlyTheRecordingAsItArrivedCounts) {
  Made made(1);
  for (int i = 0; i < 25; ++i) {
    made.add(1, {}, {0});
    made.turns_out("recut=char&gen=whole", {0}, {0}).turns_out("gen=bytes", {0}, {0});
  }
  EXPECT_EQ(made.together().items(), 25U);
  EXPECT_EQ(made.together().count(0), 0U);
  EXPECT_FALSE(made.together().stands(0));
}

// Its counts equal a slow count of the recordings.
TEST(CoOccurrence, CountsAsIfOneByOne) {
  constexpr std::size_t kRules = 4;
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    Made made(kRules);
    std::vector<std::set<std::size_t>> violates, asks;
    const std::size_t recordings = 1 + random() % 200;  // in up to four words of bits
    for (std::size_t i = 0; i < recordings; ++i) {
      std::set<std::size_t>& violated = violates.emplace_back();
      std::set<std::size_t>& asked = asks.emplace_back();
      for (std::size_t rule = 0; rule < kRules; ++rule) {
        // Two related rules, one common and one rare.
        const bool shows =
            rule == 1 ? violated.count(0) != 0 && random() % 6 != 0 : random() % (rule + 2) == 0;
        if (shows) violated.insert(rule);
        if (shows || random() % 3 != 0) asked.insert(rule);
      }
      made.add(1, violated, asked);
    }
    const auto count = [&](const auto& holds) {
      std::size_t sum = 0;
      for (std::size_t i = 0; i < recordings; ++i) sum += holds(violates[i], asks[i]) ? 1 : 0;
      return static_cast<double>(sum);
    };
    const CoOccurrence together = made.together();
    const std::vector<std::size_t> numbers = made.numbers();
    EXPECT_EQ(together.items(), recordings);
    for (std::size_t a = 0; a < kRules; ++a) {
      if (numbers[a] == kRules) continue;
      const double shown = count([&](const auto& violated, const auto&) { return violated.count(a) != 0; });
      const double asked = count([&](const auto&, const auto& all) { return all.count(a) != 0; });
      EXPECT_EQ(together.count(numbers[a]), shown);
      EXPECT_EQ(together.stands(numbers[a]),
                shown >= 20 && shown > 0.3 * static_cast<double>(recordings) && shown > 0.6 * asked);
      for (std::size_t b = 0; b < kRules; ++b) {
        if (b == a || numbers[b] == kRules) continue;
        const double both =
            count([&](const auto& v, const auto&) { return v.count(a) != 0 && v.count(b) != 0; });
        const double b_shown = count([&](const auto& v, const auto&) { return v.count(b) != 0; });
        const double with = count([&](const auto& v, const auto& q) { return q.count(b) && v.count(a); });
        const double others = count([&](const auto& v, const auto& q) { return q.count(b) && !v.count(a); });
        EXPECT_EQ(together.both(numbers[a], numbers[b]), both);
        EXPECT_EQ(
            together.is_inside(numbers[b], numbers[a]),
            both >= 0.8 * b_shown && (shown > b_shown || (shown == b_shown && numbers[a] < numbers[b])));
        EXPECT_EQ(
            together.comes_with(numbers[b], numbers[a]),
            others >= 3 && with > 0 && both >= 0.8 * with && (b_shown - both) * with <= 0.6 * both * others);
      }
    }
  }
}

}  // namespace
}  // namespace splitproof::cause::co_occurrence_test
