#include "harness/results/join.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/contract/obligation.hpp"

namespace splitproof::results::join_test {
namespace {

using contract::Level;
using contract::Obligation;
using contract::Verdict;

constexpr std::uint64_t kSeed = 20260316;

const std::vector<std::string>& rules() {
  static const auto kRules = [] {
    std::vector<std::string> all(8);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = "RULE-" + std::to_string((i * 5) % 8);
    return all;
  }();
  return kRules;
}

// Returns the whole content of a result as text for comparison.
std::string told(const RecordingResult& result) {
  std::string text = result.target;
  for (const std::size_t count : {result.cases, result.recuts, result.faults, result.called, result.broken,
                                  result.outputs, result.unrun, std::size_t{result.passes_no_stream}})
    text += " " + std::to_string(count);
  for (const std::string& label : result.changed_recuts) text += " " + label;
  for (const split::SeamCoverage::Count& count : result.coverage.counts)
    text += " " + std::to_string(count.applicable) + "/" + std::to_string(count.cut);
  for (const Row& row : result.rows) {
    text += "\n" + row.rule + " " + std::to_string(static_cast<int>(row.level)) + " " +
            std::to_string(static_cast<int>(row.verdict)) + " " + row.reason + " " +
            std::to_string(row.violating) + "/" + std::to_string(row.cases);
    if (row.first) text += " " + row.first->case_id + ": " + row.first->message;
    if (row.expectation) text += " (" + row.expectation->reason + ")";
  }
  return text;
}

class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {}

  bool maybe() { return below(2) == 0; }
  std::size_t below(std::size_t bound) { return random_() % bound; }

  // Has a random subset of the rules, each once, in order.
  RecordingResult result() {
    RecordingResult made;
    made.target = "t";
    made.cases = 1 + below(9);
    made.recuts = below(3);
    made.faults = below(3);
    made.called = below(9);
    made.broken = below(2);
    made.outputs = below(4);
    made.unrun = below(4);
    made.passes_no_stream = maybe();
    for (const char* label : {"whole", "char"})
      if (maybe()) made.changed_recuts.emplace_back(label);
    for (split::SeamCoverage::Count& count : made.coverage.counts) count = {below(2), below(2), 0};
    for (const std::string& rule : rules())
      if (maybe()) made.rows.push_back(row(rule));
    return made;
  }

  // Two numbers make alike behaviours.
  Behaviour behaviour(std::size_t number) {
    Behaviour one;
    one.case_id = "case " + std::to_string(below(9));
    one.fault = maybe();
    one.cases = 1 + below(4);
    one.meets = {rules()[number]};
    return one;
  }

 private:
  Row row(const std::string& rule) {
    Row made;
    made.rule = rule;
    made.level = static_cast<Level>(below(3));
    made.verdict = static_cast<Verdict>(below(5));
    made.cases = 1 + below(9);
    const bool violated = made.verdict == Verdict::violated;
    if (violated) made.violating = 1 + below(made.cases);
    if (!violated && made.verdict != Verdict::met) made.reason = "reason " + std::to_string(below(3));
    if (!violated && made.verdict != Verdict::passed_on) return made;
    Reproducer first;
    first.alone = below(4) != 0;
    first.upstream.cuts.resize(below(3));
    const char* of[] = {"", "&recut=whole", "&fault=close@3"};
    const std::size_t which = below(3);
    first.only_cut = which == 0;
    first.fault = which == 2;
    first.case_id = "r?client=anthropic.messages&cuts=1" + std::string(of[which]);
    first.message = "message " + std::to_string(below(3));
    made.first = first;
    return made;
  }

  std::mt19937_64 random_;
};

RecordingResult both(RecordingResult one, RecordingResult other) {
  join(one, std::move(other));
  return one;
}

// The order of rows is that of the longer list, which parts of one recording share.
RecordingResult with_all_rules(RecordingResult result) {
  std::vector<Row> rows;
  for (const std::string& rule : rules()) {
    const auto row = std::find_if(result.rows.begin(), result.rows.end(),
                                  [&](const Row& one) { return one.rule == rule; });
    rows.push_back(row == result.rows.end() ? Row() : *row);
    rows.back().rule = rule;
  }
  result.rows = std::move(rows);
  return result;
}

TEST(Join, AnyDivisionIntoConsecutiveResultsGivesTheSame) {
  Made made(kSeed);
  std::size_t alike = 0;
  for (int n = 0; n < 3000; ++n) {
    std::vector<RecordingResult> parts;
    for (std::size_t i = 0; i < 3; ++i) {
      RecordingResult& part = parts.emplace_back(with_all_rules(made.result()));
      part.part = {10 * i, 10 * i + 10, 30, {}};
      for (std::size_t body = made.below(4); body > 0; --body)
        part.part->outputs.insert(std::to_string(made.below(6)));
      part.outputs = part.part->outputs.size();
      for (std::size_t one = made.below(3); one > 0; --one) part.behaviours.push_back(made.behaviour(one));
    }
    const RecordingResult left = both(both(parts[0], parts[1]), parts[2]);
    const RecordingResult right = both(parts[0], both(parts[1], parts[2]));
    ASSERT_EQ(told(left), told(right)) << n;
    ASSERT_TRUE(left == right) << n;
    EXPECT_TRUE(left.part->is_whole());
    EXPECT_EQ(left.outputs, left.part->outputs.size());
    for (const RecordingResult& part : parts) alike += part.behaviours.size();
    alike -= left.behaviours.size();
  }
  EXPECT_GT(alike, 1000U) << "behaviours of several parts";
}

TEST(Join, EarlierOfEqualCasesIsShown) {
  RecordingResult early;
  early.rows.emplace_back().rule = "RULE-0";
  early.rows[0].verdict = Verdict::violated;
  early.rows[0].first = Reproducer();
  early.rows[0].first->case_id = "early";
  RecordingResult late = early;
  late.rows[0].first->case_id = "late";
  EXPECT_EQ(both(early, late).rows[0].first->case_id, "early");
  EXPECT_EQ(both(late, early).rows[0].first->case_id, "late");
}

TEST(Join, LosesNothing) {
  Made made(kSeed);
  for (int n = 0; n < 2000; ++n) {
    const RecordingResult one = made.result();
    const RecordingResult other = made.result();
    const RecordingResult result = both(one, other);
    for (const std::string& rule : rules()) {
      const auto in = [&](const RecordingResult& where) -> const Row* {
        const auto row = std::find_if(where.rows.begin(), where.rows.end(),
                                      [&](const Row& each) { return each.rule == rule; });
        return row == where.rows.end() ? nullptr : &*row;
      };
      const Row* const a = in(one);
      const Row* const b = in(other);
      const Row* const row = in(result);
      ASSERT_EQ(row != nullptr, a != nullptr || b != nullptr);
      if (row == nullptr) continue;
      const auto verdict_of = [](const Row* each) {
        return each == nullptr ? Verdict::not_exercised : each->verdict;
      };
      EXPECT_EQ(row->verdict, stronger(verdict_of(a), verdict_of(b)));
      EXPECT_EQ(row->cases, (a == nullptr ? 0 : a->cases) + (b == nullptr ? 0 : b->cases));
      EXPECT_EQ(row->violating, (a == nullptr ? 0 : a->violating) + (b == nullptr ? 0 : b->violating));
      const bool violation = row->verdict == Verdict::violated || row->verdict == Verdict::passed_on;
      EXPECT_EQ(row->first.has_value(), violation);
    }
  }
}

// The level belongs to the verdict: the testee with the decisive verdict decides it.
TEST(Join, VerdictThatDecidesBringsItsLevelItsReasonAndItsCase) {
  RecordingResult met;
  met.rows.emplace_back();
  met.rows[0].rule = rules()[0];
  met.rows[0].verdict = Verdict::met;
  RecordingResult violated = met;
  violated.rows[0].verdict = Verdict::violated;
  violated.rows[0].level = Level::info;
  violated.rows[0].first = Reproducer();
  violated.rows[0].first->case_id = "r?client=anthropic.messages&fault=close@3";
  violated.rows[0].first->only_cut = false;
  violated.rows[0].first->fault = true;
  EXPECT_EQ(both(met, violated).rows[0].level, Level::info);
  RecordingResult plainly = violated;
  plainly.rows[0].first->case_id = "r?client=anthropic.messages&gen=bytes";
  plainly.rows[0].first->fault = false;
  plainly.rows[0].first->upstream.cuts.resize(100);
  EXPECT_EQ(both(violated, plainly).rows[0].first->case_id, plainly.rows[0].first->case_id);
}

TEST(Join, LongerListGivesTheOrder) {
  RecordingResult few;
  for (const std::size_t i : {1, 2}) few.rows.emplace_back().rule = rules()[i];
  RecordingResult more;
  for (const std::size_t i : {1, 2, 0}) more.rows.emplace_back().rule = rules()[i];
  for (const RecordingResult& result : {both(few, more), both(more, few)}) {
    ASSERT_EQ(result.rows.size(), 3u);
    for (const std::size_t i : {0, 1, 2}) EXPECT_EQ(result.rows[i].rule, more.rows[i].rule);
  }
}

}  // namespace
}  // namespace splitproof::results::join_test
