// The shards of a campaign, merged, equal one run: all results, in every detail.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bad_streams.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/report/jsonl.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/merge.hpp"
#include "harness/results/written.hpp"
#include "mutant_targets.hpp"
#include "project.hpp"

namespace splitproof::campaign::shards_test {

using results::RecordingResult;
namespace {

std::unique_ptr<const testee::Testee> target(const std::string& name) {
  if (name.starts_with("mutant:"))
    return std::make_unique<testee::LibraryTestee>(
        mutants::mutant_target(mutants::find_mutant(name.substr(7)), project().profile));
  if (name == "reference") return std::make_unique<testee::InProcess>(name, project().reference);
  return std::make_unique<testee::InProcess>(name, testee::bad_stream(name, project().reference));
}

CampaignSettings on(const testee::Testee& testee,
                    const std::vector<std::string>& ids = {"text-multibyte", "tool-parallel"}) {
  CampaignSettings settings = project().settings(testee);
  settings.recordings.clear();
  for (const std::string& id : ids) settings.recordings.push_back(&project().recording("openai.chat/" + id));
  settings.trials.recuts = 2;
  settings.trials.splits.random = 1;
  return settings;
}

std::vector<RecordingResult> run_all(const CampaignSettings& settings) {
  std::vector<RecordingResult> recordings = run_quietly(settings);
  results::sort(recordings, {settings.testees.front()->name()});
  return recordings;
}

std::size_t cases_of(const std::vector<RecordingResult>& results) {
  return std::accumulate(results.begin(), results.end(), std::size_t{0},
                         [](std::size_t sum, const RecordingResult& result) { return sum + result.cases; });
}

// Merges the shards in this order.
std::vector<RecordingResult> merged(CampaignSettings settings, std::size_t count, bool backwards) {
  results::Merger merger;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = backwards ? count - 1 - i : i;
    settings.shard = {number, count};
    results::RunResult part;
    part.header.targets = {settings.testees.front()->name()};
    part.header.plan.shards = count;
    part.header.shards = {number + 1};
    part.recordings = run_all(settings);
    EXPECT_TRUE(merger.take(std::move(part)));
  }
  results::RunResult whole = merger.end();
  EXPECT_TRUE(results::missing_shards(whole.header).empty());
  results::join_parts(whole);
  return whole.recordings;
}

// Compares member by member, for a message that can be read.
void expect_equal(const std::vector<RecordingResult>& got, const std::vector<RecordingResult>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const RecordingResult& a = got[i];
    const RecordingResult& b = want[i];
    SCOPED_TRACE(b.recording.id);
    EXPECT_EQ(a.recording.id, b.recording.id);
    EXPECT_EQ(a.cases, b.cases);
    EXPECT_EQ(a.recuts, b.recuts);
    EXPECT_EQ(a.faults, b.faults);
    EXPECT_EQ(a.turns, b.turns);
    EXPECT_EQ(a.outputs, b.outputs);
    EXPECT_EQ(a.changed_recuts, b.changed_recuts);
    EXPECT_TRUE(a.coverage == b.coverage);
    EXPECT_FALSE(a.part.has_value());
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (std::size_t row = 0; row < a.rows.size(); ++row) {
      EXPECT_EQ(a.rows[row].rule, b.rows[row].rule);
      EXPECT_EQ(a.rows[row].reason, b.rows[row].reason) << b.rows[row].rule;
      if (a.rows[row].first && b.rows[row].first) {
        EXPECT_EQ(a.rows[row].first->case_id, b.rows[row].first->case_id) << b.rows[row].rule;
      }
      EXPECT_TRUE(a.rows[row] == b.rows[row]) << b.rows[row].rule;
    }
    ASSERT_EQ(a.behaviours.size(), b.behaviours.size());
    for (std::size_t one = 0; one < a.behaviours.size(); ++one) {
      EXPECT_EQ(a.behaviours[one].case_id, b.behaviours[one].case_id) << one;
      EXPECT_TRUE(a.behaviours[one] == b.behaviours[one]) << one;
    }
    EXPECT_TRUE(a == b);
  }
}

void expect_equal_to_one_run(const CampaignSettings& settings, const std::vector<std::size_t>& counts) {
  const std::vector<RecordingResult> whole = run_all(settings);
  ASSERT_EQ(whole.size(), settings.recordings.size());
  for (const std::size_t count : counts) {
    SCOPED_TRACE(count);
    expect_equal(merged(settings, count, count % 3 == 0), whole);
  }
}

TEST(Shards, MergedShardsEqualOneRun) {
  for (const char* name : {"reference", "mutant:start-per-name", "stop-twice"}) {
    SCOPED_TRACE(name);
    const auto testee = target(name);
    expect_equal_to_one_run(on(*testee), {3});
  }
  const auto testee = target("mutant:per-chunk-utf8");
  expect_equal_to_one_run(on(*testee), {1, 16});
}

TEST(Shards, SixtyFourShardsEqualOneRun) {
  const auto testee = target("mutant:per-chunk-utf8");
  expect_equal_to_one_run(on(*testee, {"text-multibyte"}), {64});
}

TEST(Shards, ShardsWithFaultsEqualOneRun) {
  const auto testee = target("reference");
  CampaignSettings settings = on(*testee, {"text-plain"});
  settings.trials.faults = true;
  expect_equal_to_one_run(settings, {5});
}

TEST(Shards, EachShardHasItsShareOfTheCases) {
  const auto testee = target("reference");
  CampaignSettings settings = on(*testee);
  const auto planned = static_cast<double>(cases_of(run_all(settings)));
  for (std::size_t number = 0; number < 3; ++number) {
    settings.shard = {number, 3};
    // Some planned recuts change the meaning and do not run.
    EXPECT_NEAR(static_cast<double>(cases_of(run_all(settings))), planned / 3, 0.05 * planned);
  }
}

TEST(Shards, SelectionWithFewerCasesThanShardsLosesNone) {
  const auto testee = target("reference");
  CampaignSettings settings = on(*testee);
  settings.only = "openai.chat/tool-parallel?client=anthropic.messages&gen=w*";
  const std::vector<RecordingResult> whole = run_all(settings);
  ASSERT_EQ(whole.size(), 1U);
  ASSERT_LT(whole.front().cases, 7U);
  expect_equal(merged(settings, 7, false), whole);
}

TEST(Shards, ShardsWithLimitOfCasesEqualOneRun) {
  const auto testee = target("mutant:per-chunk-utf8");
  CampaignSettings settings = on(*testee, {"text-multibyte", "tool-parallel", "text-plain"});
  settings.shares = by_worth({});
  settings.most_cases = 60;
  const std::vector<RecordingResult> whole = run_all(settings);
  ASSERT_FALSE(whole.empty());
  expect_equal(merged(settings, 2, true), whole);
}

TEST(Shards, StoppedRunContinuesWithoutRepeatingCases) {
  const auto testee = target("mutant:per-chunk-utf8");
  CampaignSettings settings = on(*testee, {"text-plain", "text-multibyte"});
  const std::vector<RecordingResult> whole = run_all(settings);
  const std::size_t planned = cases_of(whole);
  for (const std::size_t stop_after : {planned / 5, planned - 1}) {
    SCOPED_TRACE(stop_after);
    std::vector<RecordingResult> saved;
    settings.done.clear();
    settings.on_part = [&](const RecordingResult& part) { saved.push_back(part); };
    std::vector<RecordingResult> last;
    for (std::size_t runs = 0; runs < 100 && cases_of(last) < planned; ++runs) {
      settings.done = saved;
      std::size_t asked = 0;
      last = run(
                 settings, [](const CampaignProgress&) {}, [&] { return ++asked > stop_after + 3; })
                 .recordings;
    }
    results::sort(last, {testee->name()});
    expect_equal(last, whole);
    EXPECT_EQ(cases_of(saved), planned);
  }
}

// A program that is killed may leave its file cut at any byte.
TEST(Shards, TornReportKeepsItsCompleteParts) {
  const auto testee = target("mutant:per-chunk-utf8");
  CampaignSettings settings = on(*testee, {"text-plain", "text-multibyte"});
  report::Heading heading = plain_heading();
  heading.targets = {testee->name()};
  heading.rules = project().rules;
  report::GrowingReport growing;
  std::string text = growing.begin(heading);
  std::vector<std::size_t> ends;
  settings.on_part = [&](const RecordingResult& part) {
    text += growing.add(part, heading);
    ends.push_back(text.size());
  };
  run_all(settings);
  ASSERT_GE(ends.size(), settings.recordings.size());
  std::size_t parts = 0;
  for (std::size_t size = 0; size <= text.size(); size += size + 200 < text.size() ? 997 : 1) {
    const std::string_view saved = report::saved_lines(std::string_view(text).substr(0, size));
    const auto complete = static_cast<std::size_t>(
        std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= size; }));
    ASSERT_EQ(saved.size(), complete == 0 ? 0 : ends[complete - 1]) << size;
    if (std::exchange(parts, complete) == complete) continue;
    const auto read = results::read_run(saved, "report");
    ASSERT_TRUE(read) << read.error().what;
    ASSERT_EQ(read->recordings.size(), parts);
  }
}

}  // namespace
}  // namespace splitproof::campaign::shards_test
