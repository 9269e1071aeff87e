// Merges parts of a run in any order, some of them twice.
#include "harness/results/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
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
  EXPECT_GT(told_twice, 100U);
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
    const auto merged = merge(a, b);
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

}  // namespace
}  // namespace splitproof::results::merge_test
