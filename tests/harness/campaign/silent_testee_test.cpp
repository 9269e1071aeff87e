// Campaigns of testees that fall silent, or fail without a case that causes it.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/dead_target.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/report/expectation_text.hpp"
#include "harness/report/jsonl.hpp"
#include "harness/report/summary.hpp"
#include "project.hpp"

namespace splitproof::campaign::silent_testee_test {

using results::RecordingResult;
using results::Row;
namespace {

using contract::Verdict;
using testee::Ending;
using testee::Exchange;
using testee::Observation;

// A relay that hangs when a test requests it.
class Sulky final : public testee::Testee {
 public:
  using HangBackoff = std::function<bool(const Exchange&)>;

  explicit Sulky(HangBackoff hangs = [](const Exchange&) { return false; })
      : Testee({.name = "sulky",
                .client = "openai.chat",
                .upstream = "openai.chat",
                .over_http = true,
                .outside = true,
                .max_concurrency = 4}),
        hangs_(std::move(hangs)) {}

  std::vector<testee::UnattributedFailure> mishaps() const override { return befell; }

  Observation observe(const Exchange& exchange) const override {
    ++asked_;
    if (exchange.name.empty()) ++nameless_;
    Observation seen;
    if (hangs_(exchange)) {
      seen.ending = Ending::hung;
      seen.detail = "no byte arrived for 10 s";
      return seen;
    }
    for (const std::string_view chunk : exchange.chunks) seen.body += chunk;
    seen.http.emplace();
    seen.http->status = exchange.recording->status;
    for (const auto& [name, value] : exchange.recording->headers) seen.http->headers.push_back({name, value});
    seen.calls.emplace_back();
    seen.calls.back().outcome = "finished";
    for (const testee::Hold& hold : exchange.holds) seen.releases.push_back({hold.offset, true, hold.offset});
    return seen;
  }

  std::size_t asked() const { return asked_; }
  std::size_t nameless() const { return nameless_; }
  std::vector<testee::UnattributedFailure> befell;

 private:
  HangBackoff hangs_;
  mutable std::atomic<std::size_t> asked_ = 0;
  mutable std::atomic<std::size_t> nameless_ = 0;
};

const std::vector<std::string> kIds{"text-plain",      "tool-plain",  "tool-parallel",     "tool-id-late",
                                    "tool-after-text", "end-at-once", "thinking-then-text"};

CampaignSettings on(const testee::Testee& testee, const std::vector<std::string>& ids = kIds) {
  CampaignSettings settings = project().settings(testee);
  settings.recordings.clear();
  for (const std::string& id : ids) settings.recordings.push_back(&project().recording("openai.chat/" + id));
  return settings;
}

Results run_all(const CampaignSettings& settings) {
  return campaign::run(
      settings, [](const CampaignProgress&) {}, [] { return false; });
}

Sulky::HangBackoff on_recordings(const std::string& word) {
  return [word](const Exchange& exchange) { return exchange.recording->id.find(word) != std::string::npos; };
}

Sulky::HangBackoff always() {
  return [](const Exchange&) { return true; };
}

// Returns the numbers of cases of each recording that ran and that did not.
std::map<std::string, std::pair<std::size_t, std::size_t>> counts(const Results& results) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> all;
  for (const RecordingResult& result : results.recordings)
    all[result.recording.id.substr(result.recording.id.find('/') + 1)] = {result.cases, result.unrun};
  return all;
}

TEST(SilentTestee, OfOneRecordingLosesNoOther) {
  const Sulky well;
  const Sulky sulky(on_recordings("tool-plain"));
  const auto all = counts(run_all(on(well)));
  const Results results = run_all(on(sulky));
  for (const auto& [id, ran] : counts(results)) {
    SCOPED_TRACE(id);
    const std::size_t cases = all.at(id).first;
    const std::size_t hung = kMostHangs;  // as recorded and in one piece
    EXPECT_EQ(ran, id == "tool-plain" ? std::pair(hung, cases - hung) : std::pair(cases, std::size_t{0}));
  }
  const report::Summary summary = report::summarise(results.recordings, plain_heading());
  EXPECT_GT(summary.unrun, 0U);
  EXPECT_EQ(summary.unjudged, std::set<std::string>());
  EXPECT_EQ(summary.tally.findings(), 1U);
  EXPECT_EQ(results.targets.front().unrun, 0U);
  EXPECT_EQ(sulky.nameless(), 0U);
}

TEST(SilentTestee, InOneCaseOnlyLosesNothing) {
  const Sulky sulky([](const Exchange& exchange) { return exchange.name.ends_with("gen=bytes"); });
  for (const auto& [id, ran] : counts(run_all(on(sulky)))) EXPECT_EQ(ran.second, 0U) << id;
}

TEST(HangBackoff, AreBoundedAndLeaveNoKindOut) {
  HangBackoff hangs;
  hangs.note_answer();
  std::size_t ran = 0;
  for (int i = 0; i < 1000; ++i) {
    if (hangs.leaves_out("close")) continue;
    hangs.note("close", true);
    ++ran;
  }
  EXPECT_GT(ran, kMostHangs);
  EXPECT_LE(ran, 8U) << "they grow with the logarithm";
  EXPECT_FALSE(hangs.leaves_out("reset"));

  HangBackoff dead;
  for (std::size_t i = 0; i < kMostHangs; ++i) {
    EXPECT_FALSE(dead.leaves_out("split"));
    dead.note("split", true);
  }
  EXPECT_TRUE(dead.leaves_out("split"));
  EXPECT_TRUE(dead.leaves_out("close")) << "nothing of the recording was answered";
}

// It asks its upstream again while its client has nothing, and otherwise never reports a broken answer.
TEST(SilentTestee, ThatTriesAgainHidesNothing) {
  class Retrying final : public testee::Testee {
   public:
    Retrying() : Testee({"retrying", "openai.chat", "openai.chat", true, true}) {}

    Observation observe(const Exchange& exchange) const override {
      const bool broken = exchange.end == recording::End::closed || exchange.end == recording::End::reset;
      if (broken && exchange.chunks.size() <= 2) {
        Observation seen;
        seen.ending = Ending::hung;
        seen.detail = "no byte arrived for 10 s";
        return seen;
      }
      return passes_.observe(exchange);
    }

   private:
    const Sulky passes_;
  };
  const Retrying retrying;
  CampaignSettings settings = on(retrying, {"text-plain"});
  settings.trials.faults = true;
  const RecordingResult result = run_all(settings).recordings.front();
  EXPECT_GT(result.unrun, 0U) << "hangs are dear";
  const auto found = [&](const std::string& id) {
    const auto row =
        std::find_if(result.rows.begin(), result.rows.end(), [&](const Row& one) { return one.rule == id; });
    return row != result.rows.end() && row->verdict == Verdict::violated ? row->violating : 0;
  };
  EXPECT_GE(found("RUN-02"), 2U * kMostHangs) << "close and reset";
  EXPECT_GT(found("CHT-16"), 2U) << "that it ends its message as if the upstream's were whole";
}

TEST(SilentTestee, InSomeCasesOfEachRecordingIsAskedOn) {
  const Sulky sulky(
      [](const Exchange& exchange) { return exchange.name.find("gen=seam") != std::string::npos; });
  const auto ran = counts(run_all(on(sulky, {"text-plain", "tool-plain", "tool-parallel", "tool-id-late"})));
  EXPECT_EQ(ran.size(), 4U);
  for (const auto& [id, cases] : ran) {
    EXPECT_GT(cases.first, kMostHangs) << id;
    EXPECT_GT(cases.second, 0U) << id;
  }
}

TEST(SilentTestee, OfAKindOfRecordingIsAskedTheOthers) {
  const Sulky sulky(on_recordings("tool-"));
  const Results results = run_all(on(sulky));
  for (const auto& [id, ran] : counts(results))
    EXPECT_EQ(ran.second > 0, id.starts_with("tool-")) << id << ": " << ran.first << ", " << ran.second;
  EXPECT_EQ(results.targets.front().unrun, 0U);
}

TEST(SilentTestee, ForGoodIsNotAskedOn) {
  const Sulky well;
  const auto all = counts(run_all(on(well)));
  const Sulky sulky(always());
  const Results results = run_all(on(sulky));
  const auto ran = counts(results);
  EXPECT_EQ(ran.size(), kIds.size());
  for (std::size_t i = 0; i < kIds.size(); ++i) {
    const std::size_t cases = i < kSilentInARow ? kMostHangs : 0;
    EXPECT_EQ(ran.at(kIds[i]).first, cases) << kIds[i];
    EXPECT_GE(ran.at(kIds[i]).second, all.at(kIds[i]).first - cases) << kIds[i];
  }
  EXPECT_EQ(results.targets.front().unrun, kIds.size() - kSilentInARow);
  EXPECT_FALSE(results.targets.front().never_called()) << "who says nothing was not told wrong";
  const report::Summary summary = report::summarise(results.recordings, plain_heading());
  EXPECT_FALSE(summary.conforms());
  EXPECT_EQ(summary.unjudged.size(), kIds.size() - kSilentInARow);

  CampaignSettings expecting = on(sulky);
  expecting.expectations = {{"*", "*", "RUN-02", "", "", 1}};
  EXPECT_FALSE(report::summarise(run_all(expecting).recordings, plain_heading()).conforms())
      << "most of it was not run";
}

TEST(SilentTestee, FromSomeTimeOnIsTriedOnceMore) {
  std::atomic<bool> silent = false;
  const Sulky sulky([&](const Exchange& exchange) {
    if (exchange.recording->id.ends_with("tool-plain")) silent = true;
    return silent.load();
  });
  CampaignSettings settings = on(sulky);
  settings.jobs = 1;
  const Results results = run_all(settings);
  EXPECT_EQ(results.targets.front().unrun, 3U) << "text-plain was answered, and three in a row were not";
}

TEST(SilentTestee, GivesTheSameReportWhateverTheJobs) {
  for (const auto& hangs : {always(), on_recordings("tool-"), on_recordings("t")}) {
    const Sulky sulky(hangs);
    CampaignSettings settings = on(sulky);
    settings.trials.faults = true;
    std::set<std::string> reports;
    for (const unsigned jobs : {1U, 2U, 4U}) {
      settings.jobs = jobs;
      const Results results = run_all(settings);
      reports.insert(report::jsonl_report(results.recordings, plain_heading(),
                                          report::summarise(results.recordings, plain_heading()), true));
    }
    EXPECT_EQ(reports.size(), 1U);
  }
}

TEST(SilentTestee, AsItsUpstreamIsLosesNothing) {
  const Sulky sulky([](const Exchange& exchange) { return exchange.end == recording::End::stall; });
  std::vector<recording::Recording> stalled;
  for (const std::string& id : kIds) {
    stalled.push_back(project().recording("openai.chat/" + id));
    stalled.back().end = recording::End::stall;
  }
  CampaignSettings settings = on(sulky, {});
  for (const recording::Recording& recording : stalled) settings.recordings.push_back(&recording);
  settings.recordings.push_back(&project().recording("openai.chat/text-plain"));
  settings.trials.faults = true;
  const Results results = run_all(settings);
  EXPECT_EQ(results.recordings.size(), kIds.size() + 1);
  for (const RecordingResult& result : results.recordings) EXPECT_EQ(result.unrun, 0U) << result.recording.id;
}

TEST(UnattributedFailure, IsAFindingOfTheCampaignThatCanBeExpected) {
  Sulky unlucky;
  unlucky.befell = {
      {Ending::crashed, "exit code 3", "", "openai.chat/tool-plain?client=openai.chat&gen=whole"}};
  CampaignSettings settings = on(unlucky, {"text-plain", "tool-plain"});
  const Results results = run_all(settings);
  report::Summary summary = report::summarise(results.recordings, plain_heading());
  EXPECT_EQ(summary.tally.findings(), 1U);
  const std::string text = report::expectation_text({}, results.recordings, false, true);
  EXPECT_TRUE(text.starts_with("DIES sulky # the target crashed once (exit code 3), in ")) << text;

  const auto expectations = results::parse_expectations(text, "known.txt");
  ASSERT_TRUE(expectations);
  settings.expectations = expectations->entries;
  const Results expected = run_all(settings);
  summary = report::summarise(expected.recordings, plain_heading());
  EXPECT_EQ(summary.tally.findings(), 0U);
  EXPECT_EQ(summary.tally.expected(), 1U);
  EXPECT_TRUE(summary.conforms());
  unlucky.befell.clear();
  EXPECT_TRUE(stale(settings.expectations, run_all(settings).recordings).empty()) << "chance decided it";
}

TEST(PassThrough, OfWhatIsNoStreamConforms) {
  const Sulky passes;
  std::size_t none = 0;
  for (const recording::Recording& recording : project().corpus.recordings) {
    const bool json = std::any_of(recording.headers.begin(), recording.headers.end(), [](const auto& header) {
      return header.second.find("application/json") != std::string::npos;
    });
    if (!json) continue;
    ++none;
    CampaignSettings settings = on(passes, {});
    settings.recordings = {&recording};
    const Results results = run_all(settings);
    const bool says = std::any_of(
        results.recordings[0].rows.begin(), results.recordings[0].rows.end(),
        [](const Row& row) { return results::says_something(project().rules.at(row.rule), row.verdict); });
    EXPECT_FALSE(says) << "the test is about recordings of which nothing can be judged";
    EXPECT_EQ(report::why_nothing_judged(results.recordings[0], project().rules), "") << recording.id;
    EXPECT_TRUE(report::summarise(results.recordings, plain_heading()).conforms()) << recording.id;
  }
  EXPECT_GT(none, 0U);
}

}  // namespace
}  // namespace splitproof::campaign::silent_testee_test
