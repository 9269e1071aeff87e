// Merges parts of a run in any order, some of them twice.
#include "harness/results/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "tests/harness/results/any_run.hpp"

namespace splitproof::results::merge_test {
namespace {

constexpr std::uint64_t kSeed = 20261129;

// Random runs that can be parts of one run. Parts may share results, or contradict each other.
class Parts {
 public:
  RunResult part() {
    RunResult part = any_.run();
    if (maybe()) {
      const RunResult& other = earlier_.empty() ? part : earlier_[any_.below(earlier_.size())];
      part.recordings.insert(part.recordings.end(), other.recordings.begin(), other.recordings.end());
    }
    part.header.seed = 1;
    part.header.plan = {};
    part.header.shards.clear();
    part.header.strict = part.header.quick = false;
    if (maybe()) part.header.targets = {"two", "one"};
    if (maybe()) part.header.trials = " --only 'a*'";
    if (maybe()) part.header.untested["two"] = "it fell silent";
    part.header.unavailable = part.header.untested.size();
    if (maybe()) part.causes.push_back({"one", "R-1", {}, Smallest{any_.below(9), 9, {}}});
    part.complete = any_.below(4) > 0;
    earlier_.push_back(part);
    return part;
  }

 private:
  bool maybe() { return any_.maybe(); }

  AnyRun any_{kSeed};
  std::vector<RunResult> earlier_;
};

RunResult merged(const RunResult& a, const RunResult& b) { return merge(a, b).value(); }

TEST(Merge, IsAssociativeCommutativeAndIdempotent) {
  Parts parts;
  std::size_t told_twice = 0;
  for (int n = 0; n < 300; ++n) {
    const RunResult a = parts.part();
    const RunResult b = parts.part();
    const RunResult c = parts.part();
    ASSERT_TRUE(merged(merged(a, b), c) == merged(a, merged(b, c))) << n;
    ASSERT_TRUE(merged(a, b) == merged(b, a)) << n;
    const RunResult once = merged(a, b);
    ASSERT_TRUE(merged(once, once) == once) << n;
    ASSERT_TRUE(merged(once, a) == once) << n;
    told_twice += a.recordings.size() + b.recordings.size() - once.recordings.size();
  }
  EXPECT_GT(told_twice, 30U);
}

TEST(Merge, KeepsEachResult) {
  Parts parts;
  for (int n = 0; n < 300; ++n) {
    const std::vector<RunResult> all = {parts.part(), parts.part(), parts.part()};
    const RunResult whole = merged(merged(all[0], all[1]), all[2]);
    for (const RunResult& part : all) {
      for (const RecordingResult& result : part.recordings) {
        EXPECT_TRUE(
            std::any_of(whole.recordings.begin(), whole.recordings.end(), [&](const RecordingResult& kept) {
              return kept.target == result.target && kept.recording.id == result.recording.id &&
                     kept.recording.digest == result.recording.digest && kept >= result;
            }));
      }
      EXPECT_TRUE(!whole.complete || part.complete);
    }
    for (const RecordingResult& kept : whole.recordings) {
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const RunResult& part) {
        return std::count(part.recordings.begin(), part.recordings.end(), kept) > 0;
      }));
    }
  }
}

TEST(Merge, RefusesPartsOfDifferentRuns) {
  const auto says = [](void (*change)(RunHeading&)) {
    RunResult a;
    a.header.contracts = {{"sse.yaml", "1"}, {"text.yaml", "1"}};
    RunResult b = a;
    change(b.header);
    const auto merged = merge(b, a);
    return merged ? std::string() : merged.error().what;
  };
  const std::string different = "the reports are of different runs: ";
  EXPECT_EQ(says([](RunHeading&) {}), "");
  EXPECT_EQ(says([](RunHeading& other) { other.contracts["text.yaml"] = "2"; }),
            different + "the digest of text.yaml is 1 and 2");
  EXPECT_EQ(says([](RunHeading& other) { other.contracts.erase("sse.yaml"); }),
            different + "the digest of sse.yaml is 1 and none");
  EXPECT_EQ(says([](RunHeading& other) { other.profile = "strict"; }),
            different + "the profile is  and strict");
  EXPECT_EQ(says([](RunHeading& other) { other.seed = 7; }), different + "the seed is 0 and 7");
  EXPECT_EQ(says([](RunHeading& other) { other.options = " --corpus x"; }),
            different + "the options are '' and ' --corpus x'");
  EXPECT_EQ(says([](RunHeading& other) { other.strict = true; }), different + "one ran with --strict");
  EXPECT_EQ(says([](RunHeading& other) { other.quick = true; }), different + "one ran with --quick");
}

TEST(Merge, RefusesShardsOfDifferentPlans) {
  const auto says = [](void (*change)(Plan&)) {
    RunResult a;
    a.header.plan = {"1.0", "c1", "k1", "default p1", " --faults", 1, 2, {{"proxy", "file f1, version: 7"}}};
    a.header.shards = {1};
    RunResult b = a;
    b.header.shards = {2};
    change(b.header.plan);
    const auto merged = merge(b, a);
    return merged ? std::string() : merged.error().what;
  };
  const std::string different = "the reports have different plans (";
  EXPECT_EQ(says([](Plan&) {}), "");
  EXPECT_EQ(says([](Plan& other) { other.version = "1.1"; }),
            different + "version of splitproof: '1.0' and '1.1')");
  EXPECT_EQ(says([](Plan& other) { other.shards = 3; }), different + "number of shards: '2' and '3')");
  EXPECT_EQ(says([](Plan& other) { other.seed = 7; }), different + "seed: '1' and '7')");
  EXPECT_EQ(says([](Plan& other) { other.options = ""; }), different + "options: ' --faults' and '')");
  EXPECT_EQ(says([](Plan& other) { other.profile = "strict p1"; }),
            different + "profile: 'default p1' and 'strict p1')");
  EXPECT_EQ(says([](Plan& other) { other.targets["proxy"] = "file f2, version: 7"; }),
            different + "targets: 'proxy (file f1, version: 7)' and 'proxy (file f2, version: 7)')");
  EXPECT_EQ(says([](Plan& other) { other.corpus = "c2"; }), different + "corpus: 'c1' and 'c2')");
  EXPECT_EQ(says([](Plan& other) { other.contracts = "k2"; }), different + "contracts: 'k1' and 'k2')");
}

// Returns the report of shard 1, with the first cases of a recording.
RunResult first_of_two() {
  RunResult run;
  run.header.plan.shards = 2;
  run.header.shards = {1};
  run.header.targets = {"one"};
  RecordingResult& result = run.recordings.emplace_back();
  result.target = "one";
  result.recording.id = "a";
  result.cases = 4;
  result.part = {0, 5, 12, {"x", "y"}};
  result.outputs = 2;
  return run;
}

RunResult second_of_two() {
  RunResult run = first_of_two();
  run.header.shards = {2};
  RecordingResult& result = run.recordings.front();
  result.cases = 7;
  result.part = {5, 12, 12, {"y", "z"}};
  return run;
}

TEST(Merge, JoinsShardsInAnyOrderAndOnce) {
  for (const auto& order : std::vector<std::vector<RunResult>>{
           {first_of_two(), second_of_two()},
           {second_of_two(), first_of_two()},
           {second_of_two(), first_of_two(), second_of_two(), first_of_two()}}) {
    Merger merger;
    for (const RunResult& part : order) ASSERT_TRUE(merger.take(part));
    RunResult whole = merger.end();
    EXPECT_TRUE(missing_shards(whole.header).empty());
    join_parts(whole);
    ASSERT_EQ(whole.recordings.size(), 1U);
    EXPECT_EQ(whole.recordings[0].cases, 11U);
    EXPECT_EQ(whole.recordings[0].outputs, 3U);
    EXPECT_FALSE(whole.recordings[0].part);
    EXPECT_TRUE(whole.header.shards.empty()) << "the result is that of one run";
    EXPECT_EQ(whole.header.plan.shards, 1U);
  }
}

TEST(Merge, NamesMissingShards) {
  RunResult one = first_of_two();
  EXPECT_EQ(missing_shards(one.header), std::vector<std::size_t>{2});
  join_parts(one);
  EXPECT_TRUE(one.recordings[0].part.has_value()) << "it is not whole";
  EXPECT_EQ(one.header.shards, std::set<std::size_t>{1});
  one.header.shards = {kUnfinishedShard};
  EXPECT_EQ(missing_shards(one.header), (std::vector<std::size_t>{1, 2}));
  one.header.shards.clear();
  EXPECT_TRUE(missing_shards(one.header).empty()) << "the report is of no shard";
}

// A shard was killed, and ran again into another file.
TEST(Merge, UnfinishedShardAddsNothingToTheFinishedOne) {
  Merger merger;
  for (const std::size_t reached : {2, 4}) {
    RunResult part = first_of_two();
    part.header.shards = {kUnfinishedShard};
    part.recordings[0].part = {0, reached, 12, {"x"}};
    part.recordings[0].cases = reached;
    ASSERT_TRUE(merger.take(part));
  }
  ASSERT_TRUE(merger.take(first_of_two()));
  ASSERT_TRUE(merger.take(second_of_two()));
  RunResult whole = merger.end();
  join_parts(whole);
  EXPECT_EQ(whole.recordings[0].cases, 11U);
}

// Returns the report of one of four shards with equal parts.
RunResult quarter(std::size_t number) {
  RunResult run = first_of_two();
  run.header.plan.shards = 4;
  run.header.shards = {number};
  run.recordings[0].cases = 3;
  run.recordings[0].part = {3 * number - 3, 3 * number, 12, {std::to_string(number)}};
  return run;
}

RunResult joined(const std::vector<RunResult>& parts) {
  Merger merger;
  for (const RunResult& part : parts) EXPECT_TRUE(merger.take(part));
  RunResult whole = merger.end();
  join_parts(whole);
  return whole;
}

TEST(Merge, JoinedShardsWithAGapMergeWithTheOthers) {
  const RunResult outer = joined({quarter(1), quarter(4)});
  ASSERT_EQ(outer.recordings.size(), 1U);
  EXPECT_EQ(outer.recordings[0].part->gaps, (std::vector<std::size_t>{3, 9}));
  const RunResult three = joined({quarter(3), outer});
  EXPECT_EQ(three.recordings[0].part->gaps, (std::vector<std::size_t>{3, 6}));
  EXPECT_EQ(three.recordings[0].cases, 9U);
  for (const RunResult& whole : {joined({three, quarter(2)}), joined({quarter(2), quarter(3), outer}),
                                 joined({outer, joined({quarter(2), quarter(3)})}),
                                 joined({three, quarter(1), quarter(2), quarter(4)})}) {
    ASSERT_EQ(whole.recordings.size(), 1U);
    EXPECT_EQ(whole.recordings[0].cases, 12U);
    EXPECT_FALSE(whole.recordings[0].part);
    EXPECT_TRUE(check_covered(whole));
  }
}

TEST(Merge, LostResultsOfAShardAreNoticed) {
  const auto says = [](std::size_t shard, void (*change)(RunResult&)) {
    std::vector<RunResult> parts = {quarter(1), quarter(2), quarter(3), quarter(4)};
    change(parts[shard - 1]);
    const auto covered = check_covered(joined(parts));
    return covered ? std::string() : covered.error().what;
  };
  const auto lose = [](RunResult& run) { run.recordings.clear(); };
  EXPECT_EQ(says(1, lose), "the reports of all shards lack the cases 1 to 3 of a with one");
  EXPECT_EQ(says(2, lose), "the reports of all shards lack the cases 4 to 6 of a with one");
  EXPECT_EQ(says(4, lose), "the reports of all shards lack the cases 10 to 12 of a with one");
  EXPECT_EQ(says(3, [](RunResult& run) { run.recordings[0].part->begin = 7; }),
            "the reports of all shards lack the cases 7 to 7 of a with one");
  EXPECT_EQ(says(2, [](RunResult&) {}), "");
  EXPECT_EQ(says(2,
                 [](RunResult& run) {
                   run.recordings.clear();
                   run.cut_short = CutShort{"1s", 12, 0};
                 }),
            "");
  EXPECT_TRUE(check_covered(joined({quarter(1), quarter(3)}))) << "shards are missing";
}

}  // namespace
}  // namespace splitproof::results::merge_test
