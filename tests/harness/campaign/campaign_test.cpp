// Campaigns of testees in this process. The file is long because the tests share the bad testees, the corpus and the
// view of results.

#include "harness/campaign/campaign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "bad_streams.hpp"
#include "harness/campaign/baselines.hpp"
#include "harness/campaign/connections.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/report/jsonl.hpp"
#include "mutant_targets.hpp"
#include "project.hpp"
#include "tests/planned.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::campaign::campaign_test {

using results::Behaviour;
using results::RecordingResult;
using results::Reproducer;
using results::Row;
namespace {

using contract::Verdict;
using testee::InProcess;

InProcess bad(const std::string& name) { return {name, testee::bad_stream(name, project().reference)}; }

// Returns the bad stream of that name, or the mutant for "mutant:NAME".
std::unique_ptr<const testee::Testee> wrong(const std::string& name) {
  if (name.starts_with("mutant:"))
    return std::make_unique<testee::LibraryTestee>(
        mutants::mutant_target(mutants::find_mutant(name.substr(7)), project().profile));
  return std::make_unique<InProcess>(bad(name));
}

// Answers with the result of a function.
class Scripted final : public testee::Testee {
 public:
  using Answer = std::function<std::string(const testee::Exchange&)>;

  explicit Scripted(Answer answer, std::string client = "anthropic.messages")
      : Testee({"scripted", std::move(client), "openai.chat"}), answer_(std::move(answer)) {}

  testee::Observation observe(const testee::Exchange& exchange) const override {
    testee::Observation seen;
    seen.body = answer_(exchange);
    return seen;
  }

 private:
  Answer answer_;
};

// Answers like another testee, but does not report its requests.
class Reticent final : public testee::Testee {
 public:
  explicit Reticent(std::unique_ptr<const testee::Testee> other)
      : Testee(other->traits()), other_(std::move(other)) {}

  testee::Observation observe(const testee::Exchange& exchange) const override {
    return other_->observe(exchange);
  }

 private:
  std::unique_ptr<const testee::Testee> other_;
};

std::string reference_answer(const testee::Exchange& exchange) {
  return InProcess("reference", project().reference).observe(exchange).body;
}

const Row& row_of(const RecordingResult& result, const std::string& obligation) {
  return *std::find_if(result.rows.begin(), result.rows.end(),
                       [&](const Row& row) { return row.rule == obligation; });
}

std::set<std::string> violated(const std::vector<RecordingResult>& results) {
  std::set<std::string> ids;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      if (row.verdict == Verdict::violated) ids.insert(row.rule);
    }
  }
  return ids;
}

std::vector<std::string> recordings(const std::vector<RecordingResult>& results) {
  std::vector<std::string> ids;
  for (const RecordingResult& result : results) ids.push_back(result.target + " " + result.recording.id);
  return ids;
}

CampaignSettings on(const testee::Testee& testee, const std::vector<std::string>& ids) {
  CampaignSettings settings = project().settings(testee);
  settings.recordings.clear();
  for (const std::string& id : ids) settings.recordings.push_back(&project().recording("openai.chat/" + id));
  return settings;
}

TEST(Campaign, ResultsAreTheSameForAnyNumberOfJobs) {
  const auto first = wrong("mutant:lf-only-framing");
  const auto second = wrong("mutant:per-chunk-utf8");
  CampaignSettings settings = project().settings(*first);
  settings.testees.push_back(second.get());
  settings.only = "openai.chat/t*&gen=[!s]*";  // without recuts
  settings.trials.splits.random = 3;
  std::vector<RecordingResult> alone;
  for (const unsigned jobs : {1U, 7U}) {
    SCOPED_TRACE(jobs);
    settings.jobs = jobs;
    const std::vector<RecordingResult> results = run_quietly(settings);
    if (jobs == 1) alone = results;
    ASSERT_EQ(recordings(results), recordings(alone));
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].cases, alone[i].cases);
      EXPECT_EQ(results[i].outputs, alone[i].outputs);
      EXPECT_EQ(results[i].coverage, alone[i].coverage);
      for (std::size_t row = 0; row < results[i].rows.size(); ++row) {
        const auto& a = results[i].rows[row].first;
        const auto& b = alone[i].rows[row].first;
        ASSERT_EQ(a.has_value(), b.has_value());
        if (!a) continue;
        EXPECT_EQ(std::tie(a->upstream.cuts, a->downstream), std::tie(b->upstream.cuts, b->downstream));
      }
    }
    const report::Heading heading = plain_heading();
    EXPECT_EQ(report::jsonl_report(results, heading, report::summarise(results, heading), true),
              report::jsonl_report(alone, heading, report::summarise(alone, heading), true));
  }
  EXPECT_GT(alone.size(), 100U);
  EXPECT_EQ(alone.front().target, "mutant:lf-only-framing");
  EXPECT_EQ(alone.back().target, "mutant:per-chunk-utf8");
  const std::set<std::string> ids = violated(alone);
  EXPECT_TRUE(ids.contains("META-03") && ids.contains("META-04")) << testing::PrintToString(ids);
}

// Judges every case separately, equal outputs or not.
TEST(Campaign, RowsAreThoseOfJudgingEveryCase) {
  std::size_t recuts = 0;
  for (const std::string name :
       {"mutant:per-chunk-utf8", "mutant:equal-chunk-dedup", "stop-twice", "hold-everything"}) {
    if (kSanitized && name != "mutant:per-chunk-utf8") continue;
    const Reticent testee(wrong(name));
    const bool faults = name == "stop-twice";
    CampaignSettings settings = faults ? on(testee, {"text-repeated-pieces", "end-at-once"})
                                       : on(testee, {"framing-mixed-line-ends", "text-multibyte",
                                                     "text-repeated-pieces", "end-at-once"});
    settings.trials = {{2, false, 3}, 1, faults};
    for (const RecordingResult& result : run_quietly(settings)) {
      SCOPED_TRACE(name + " " + result.recording.id);
      const recording::Recording& recording = settings.recording(result.recording);
      const Judge judge(*settings.contracts, settings.profile, testee.traits(), recording);
      const Baselines baselines(judge, asked_of(testee, recording));
      std::set<std::string> bodies;
      std::size_t cases = 0;
      using Rank = std::tuple<bool, bool, std::size_t>;
      struct Count {
        std::size_t cases = 0, violating = 0;
        std::set<Verdict> verdicts;
        std::optional<Rank> first;
        std::string message;
      };
      std::vector<std::pair<std::string, Count>> counts;
      const auto take = [&](const Variation& variation) {
        if (variation.as_recorded.turn != Turn::first) return true;  // without its request there is none
        const UpstreamReading reading = judge.read(variation.as_arrived, variation.as_recorded.alteration());
        const Baseline baseline = baselines.of(reading, variation.as_arrived);
        return variation.for_each_case([&](const Case& one, const split::Cuts& cuts) {
          Upstream upstream = variation.as_arrived;
          upstream.cuts = cuts;
          const testee::Observation seen = testee.observe(exchange_of(upstream, recording));
          bodies.insert(seen.body);
          const std::vector<contract::Judged> all = judge.judge(reading, baseline, upstream, seen);
          counts.resize(all.size());
          ++cases;
          const Rank rank{one.fault.has_value(), !one.recut.empty(), cuts.size()};
          for (std::size_t i = 0; i < all.size(); ++i) {
            Count& count = counts[i].second;
            counts[i].first = all[i].obligation->id;
            ++count.cases;
            count.verdicts.insert(all[i].verdict);
            if (all[i].verdict != Verdict::violated) continue;
            ++count.violating;
            if (count.first && *count.first <= rank) continue;
            count.first = rank;
            count.message = all[i].message;
          }
          return true;
        });
      };
      for_each_variation(recording, testee.client(), settings.trials, "", take);
      EXPECT_EQ(result.cases, cases);
      EXPECT_EQ(result.faults > 0, faults);
      recuts += result.recuts;
      EXPECT_EQ(result.outputs, bodies.size());
      EXPECT_EQ(result.coverage,
                split::seam_coverage(subject_of(recording),
                                     split::planned(subject_of(recording), settings.trials.splits)));
      std::vector<Row> rows = result.rows;
      std::erase_if(rows, [](const Row& row) {
        return project().rules.at(row.rule).form == "connections";
      });  // these belong to no case
      ASSERT_EQ(rows.size(), counts.size());
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const Row& row = rows[i];
        const Count& count = counts[i].second;
        SCOPED_TRACE(counts[i].first);
        EXPECT_EQ(row.rule, counts[i].first);
        EXPECT_EQ(row.cases, count.cases);
        EXPECT_EQ(row.violating, count.violating);
        EXPECT_EQ(row.verdict == Verdict::violated, count.violating > 0);
        if (count.violating == 0) {
          EXPECT_EQ(row.verdict == Verdict::met, count.verdicts.count(Verdict::met) > 0);
          EXPECT_EQ(row.verdict == Verdict::not_exercised,
                    count.verdicts == std::set<Verdict>{Verdict::not_exercised});
        }
        ASSERT_EQ(row.first.has_value(), count.first.has_value());
        if (!row.first) continue;
        EXPECT_EQ(row.first->upstream.cuts.size(), std::get<2>(*count.first));
        EXPECT_EQ(row.first->only_cut, !std::get<0>(*count.first) && !std::get<1>(*count.first));
        EXPECT_EQ(row.first->message, count.message);
      }
    }
  }
  EXPECT_GT(recuts, 0U);
}

TEST(Campaign, EqualOutputsAreJudgedOnce) {
  const InProcess testee("reference", project().reference);
  for (const RecordingResult& result :
       run_quietly(on(testee, {"text-plain", "tool-parallel", "end-at-once"}))) {
    EXPECT_EQ(result.outputs, 1U);
  }
}

TEST(Campaign, OnlySelectsByRecordingAndByCase) {
  const InProcess testee("reference", project().reference);
  CampaignSettings settings = project().settings(testee);
  settings.only = "openai.chat/framing-cr*";
  EXPECT_EQ(
      recordings(run_quietly(settings)),
      (std::vector<std::string>{"reference openai.chat/framing-cr", "reference openai.chat/framing-crlf"}));

  settings.only = "*?client=anthropic.messages&gen=bytes";
  for (const RecordingResult& result : run_quietly(settings))
    EXPECT_EQ(result.cases, 1U) << result.recording.id;

  settings.only = "openai.chat/text-plain?client=anthropic.messages&gen=whole";
  const auto whole = run_quietly(settings);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole.front().cases, 1U);
  for (const split::SeamCoverage::Count& count : whole.front().coverage.counts) EXPECT_EQ(count.cut, 0U);

  for (const char* none : {"openai.chat", "text-plain", "*gen=faulty*", "*client=sse*"}) {
    settings.only = none;
    EXPECT_TRUE(run_quietly(settings).empty()) << none;
  }
}

TEST(Campaign, OnlyFindsTheCaseThatAFindingNames) {
  const InProcess testee = bad("id-from-chunk-count");
  CampaignSettings settings = on(testee, {"text-plain"});
  settings.only = "*gen=seam*";
  const auto results = run_quietly(settings);
  const Reproducer first = *row_of(results.front(), "META-03").first;
  EXPECT_EQ(first.case_id, "openai.chat/text-plain?client=anthropic.messages&cuts=" +
                               std::to_string(first.upstream.cuts.front()));
  settings.only = first.case_id;
  const auto again = run_quietly(settings);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again.front().cases, 1U);
  EXPECT_EQ(row_of(again.front(), "META-03").first->case_id, first.case_id);
}

TEST(Campaign, FailFastEndsWithTheFirstRecordingThatFails) {
  const InProcess testee = bad("null-arguments");
  CampaignSettings settings = project().settings(testee);
  settings.only = "*&gen=[rw]*";
  const auto all = run_quietly(settings);
  const auto failing = std::find_if(all.begin(), all.end(), [](const RecordingResult& result) {
    return row_of(result, "TOOL-14").verdict == Verdict::violated;
  });
  ASSERT_NE(failing, all.end());
  const auto wanted = recordings({all.begin(), failing + 1});
  ASSERT_GT(wanted.size(), 1U);
  ASSERT_LT(wanted.size(), all.size());
  settings.fail_fast = true;
  for (const unsigned jobs : {1U, 2U, 7U}) {
    settings.jobs = jobs;
    EXPECT_EQ(recordings(run_quietly(settings)), wanted) << jobs;
  }
}

TEST(Campaign, FailFastPassesOverAdviceUnlessItDecides) {
  const InProcess testee = bad("open-block-before-error");
  CampaignSettings settings = project().settings(testee);
  settings.only = "*&gen=recorded";
  settings.fail_fast = true;
  const auto advised = run_quietly(settings);
  EXPECT_EQ(violated(advised), std::set<std::string>{"END-07"});
  EXPECT_EQ(advised.size(), project().corpus.recordings.size());
  settings.strict = true;
  const auto strict = run_quietly(settings);
  EXPECT_LT(strict.size(), advised.size());
  EXPECT_EQ(row_of(strict.back(), "END-07").verdict, Verdict::violated);
}

TEST(Campaign, LevelsThatDecide) {
  using contract::Level;
  EXPECT_TRUE(results::decides(Level::must, false));
  EXPECT_FALSE(results::decides(Level::should, false));
  EXPECT_TRUE(results::decides(Level::should, true));
  EXPECT_FALSE(results::decides(Level::info, true));
}

TEST(Campaign, StoppedCampaignReturnsFinishedResults) {
  const InProcess testee("reference", project().reference);
  CampaignSettings settings = project().settings(testee);
  settings.only = "*&gen=recorded";
  const auto all = recordings(run_quietly(settings));
  settings.jobs = 1;
  std::size_t done = 0;
  const auto some = campaign::run(
                        settings, [&](const CampaignProgress& progress) { done = progress.done; },
                        [&] { return done >= 3; })
                        .recordings;
  EXPECT_EQ(recordings(some), std::vector<std::string>(all.begin(), all.begin() + 3));
  EXPECT_TRUE(campaign::run(
                  settings, [](const CampaignProgress&) {}, [] { return true; })
                  .recordings.empty());
}

TEST(Campaign, ProgressCountsUpToTheResults) {
  const InProcess testee = bad("stop-twice");
  CampaignSettings settings = project().settings(testee);
  settings.only = "*&gen=[rw]*";
  settings.jobs = 3;
  CampaignProgress last;
  const auto results = campaign::run(
                           settings,
                           [&](const CampaignProgress& progress) {
                             EXPECT_GE(progress.done, last.done);
                             EXPECT_LE(progress.done, last.done + 1);
                             EXPECT_GE(progress.cases, last.cases);
                             EXPECT_GE(progress.findings, last.findings);
                             last = progress;
                           },
                           [] { return false; })
                           .recordings;
  std::size_t cases = 0;
  std::size_t findings = 0;
  for (const RecordingResult& result : results) {
    cases += result.cases;
    for (const Row& row : result.rows) findings += row.verdict == Verdict::violated ? 1 : 0;
  }
  EXPECT_EQ(last.total, project().corpus.recordings.size());
  EXPECT_EQ(last.done, last.total);
  EXPECT_EQ(last.cases, cases);
  EXPECT_EQ(last.findings, findings);
  EXPECT_GT(findings, 0U);
}

std::vector<std::string> told(const Results& results) {
  std::vector<std::string> all;
  for (const RecordingResult& result : results.recordings) {
    all.push_back(result.recording.id + " " + std::to_string(result.cases) + " " +
                  std::to_string(result.recuts) + " " + std::to_string(result.outputs));
    for (const Row& row : result.rows)
      all.push_back(row.rule + " " + std::string(contract::name(row.verdict)) + " " +
                    std::to_string(row.cases) + " " + std::to_string(row.violating));
    std::vector<std::string> behaviours;
    for (const Behaviour& one : result.behaviours)
      behaviours.push_back(std::to_string(one.cases) + " " + std::to_string(one.symptoms.size()) + " " +
                           std::to_string(one.meets.size()));
    std::sort(behaviours.begin(), behaviours.end());
    all.insert(all.end(), behaviours.begin(), behaviours.end());
  }
  return all;
}

TEST(Campaign, SharesTogetherEqualTheWholeRun) {
  const InProcess testee = bad("stop-twice");
  CampaignSettings settings = on(testee, {"text-plain", "tool-parallel", "thinking-then-tool"});
  const Results whole = campaign::run(
      settings, [](const CampaignProgress&) {}, [] { return false; });
  settings.shares = by_worth({});
  std::size_t told_of = 0;
  settings.on_part = [&](const RecordingResult&) { ++told_of; };
  std::map<std::string, std::size_t> kept;
  std::mutex mutex;
  settings.keep = [&](const evidence::Evidence& seen, Round) {
    const std::lock_guard lock(mutex);
    const auto [cases, is_new] = kept.try_emplace(seen.recording->id);
    EXPECT_TRUE(is_new) << "once, with all that was seen";
    for (const evidence::StoredExchange& exhibit : seen.exhibits) cases->second += exhibit.cases;
  };
  for (const unsigned jobs : {1U, 3U}) {
    settings.jobs = jobs;
    kept.clear();
    told_of = 0;
    const Results shared = campaign::run(
        settings, [](const CampaignProgress&) {}, [] { return false; });
    EXPECT_EQ(told(shared), told(whole));
    for (std::size_t i = 0; i < whole.recordings.size(); ++i)
      EXPECT_EQ(shared.recordings[i].coverage, whole.recordings[i].coverage);
    EXPECT_FALSE(shared.cut_short);
    EXPECT_GT(told_of, 3 * settings.recordings.size());
    for (const RecordingResult& result : shared.recordings)
      EXPECT_EQ(kept[result.recording.id], result.cases);
    std::size_t cases = 0;
    for (const RecordingResult& result : shared.recordings) cases += result.cases;
    EXPECT_EQ(shared.planned, cases);
  }
}

TEST(Campaign, ProgressOfSharesCountsBegunRecordings) {
  const InProcess reference("reference", project().reference);
  CampaignSettings settings = on(reference, {"text-plain", "tool-parallel", "thinking-then-tool"});
  settings.shares = by_worth({});
  settings.jobs = 1;
  std::size_t most_before_one_is_done = 0;
  CampaignProgress last;
  campaign::run(
      settings,
      [&](const CampaignProgress& progress) {
        EXPECT_GE(progress.begun, last.begun);
        EXPECT_GE(progress.begun, progress.done);
        last = progress;
        if (progress.done == 1) most_before_one_is_done = progress.begun;
      },
      [] { return false; });
  EXPECT_EQ(most_before_one_is_done, 3U);
  EXPECT_EQ(last.begun, 3U);
  EXPECT_EQ(last.done, 3U);
}

TEST(Campaign, ShortenedCampaignHasTheFirstCasesOfAll) {
  const InProcess reference("reference", project().reference);
  CampaignSettings settings = on(reference, {"text-plain", "tool-parallel", "thinking-then-tool"});
  settings.shares = by_worth({});
  settings.jobs = 1;
  const auto cut_after = [&](std::size_t cases) {
    std::size_t asked = 0;
    return campaign::run(
        settings, [](const CampaignProgress&) {}, [&] { return ++asked > cases; });
  };
  const Results whole = cut_after(100000);
  EXPECT_FALSE(whole.cut_short);
  const auto cases_of = [](const Results& results) {
    std::vector<std::size_t> all;
    for (const RecordingResult& result : results.recordings) all.push_back(result.cases);
    return all;
  };
  const Results begun = cut_after(2);
  EXPECT_TRUE(begun.cut_short);
  EXPECT_GT(begun.unreached, 0U);
  // Time for one case of each, and for more of one: the others still get theirs.
  const Results some = cut_after(30);
  EXPECT_TRUE(some.cut_short);
  EXPECT_EQ(some.unreached, 0U);
  EXPECT_EQ(some.recordings.size(), 3U);
  EXPECT_GE(some.planned, whole.planned);  // not every answer has all possible second turns
  EXPECT_EQ(cases_of(cut_after(30)), cases_of(some));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(cases_of(some)[i], cases_of(whole)[i]);
}

TEST(Campaign, EveryKindOfCaseRunsBeforeTheFirstShareEnds) {
  const InProcess reference("reference", project().reference);
  CampaignSettings settings = on(reference, {"text-plain", "text-multibyte", "text-again", "tool-parallel",
                                             "tool-plain", "tool-then-text", "thinking-then-tool",
                                             "thinking-then-text", "usage-with-finish", "usage-never"});
  settings.shares = by_worth({});
  settings.jobs = 1;
  std::size_t asked = 0;
  const Results some = campaign::run(
      settings, [](const CampaignProgress&) {}, [&] { return ++asked > 20; });
  EXPECT_GT(some.unreached, 0U);
  std::size_t most = 0;
  for (const RecordingResult& result : some.recordings) most = std::max(most, result.cases);
  EXPECT_GT(most, 1U);
}

Results run_all(const CampaignSettings& settings) {
  return campaign::run(
      settings, [](const CampaignProgress&) {}, [] { return false; });
}

TEST(Campaign, LimitedCasesAreTheSameForAnyNumberOfJobs) {
  const InProcess testee = bad("stop-twice");
  CampaignSettings settings =
      on(testee, {"text-plain", "tool-parallel", "thinking-then-tool", "end-at-once"});
  settings.shares = by_worth({});
  const std::size_t whole = run_all(settings).planned;
  std::size_t before = 0;
  for (const std::size_t most : {std::size_t{1}, std::size_t{7}, std::size_t{60}, whole / 2}) {
    SCOPED_TRACE(most);
    settings.most_cases = most;
    settings.jobs = 1;
    const Results alone = run_all(settings);
    settings.jobs = 4;
    EXPECT_EQ(told(run_all(settings)), told(alone));
    std::size_t cases = 0;
    for (const RecordingResult& result : alone.recordings) cases += result.cases;
    EXPECT_LE(cases, most);
    EXPECT_GE(cases, before);
    EXPECT_TRUE(alone.cut_short);
    EXPECT_GE(alone.planned, whole);
    EXPECT_EQ(alone.unreached + alone.recordings.size(), settings.recordings.size());
    before = cases;
  }
  EXPECT_GT(before, whole / 4);
  settings.most_cases = 2 * whole;
  EXPECT_FALSE(run_all(settings).cut_short);
}

TEST(Campaign, RepeatableCasesAreThoseOfTheEndedJobs) {
  const InProcess testee = bad("stop-twice");
  CampaignSettings settings =
      on(testee, {"text-plain", "tool-parallel", "thinking-then-tool", "end-at-once"});
  settings.shares = by_worth({});
  std::size_t asked = 0;
  const Results cut = campaign::run(
      settings, [](const CampaignProgress&) {}, [&] { return ++asked > 50; });
  ASSERT_TRUE(cut.cut_short);
  ASSERT_GT(cut.repeatable, 0U);
  settings.most_cases = cut.repeatable;
  const Results again = run_all(settings);
  EXPECT_EQ(again.repeatable, cut.repeatable);
  std::map<std::string, std::size_t> cases;
  for (const RecordingResult& result : cut.recordings) cases[result.recording.id] = result.cases;
  for (const RecordingResult& result : again.recordings)
    EXPECT_LE(result.cases, cases[result.recording.id]) << result.recording.id;
  const std::set<std::string> known = violated(cut.recordings);
  for (const std::string& rule : violated(again.recordings)) EXPECT_TRUE(known.contains(rule)) << rule;
}

TEST(Campaign, EarlyShortenedCampaignHasCasesOfTheWholeCorpus) {
  const InProcess reference("reference", project().reference);
  std::vector<recording::Recording> corpus(40, project().recording("openai.chat/text-plain"));
  for (std::size_t i = 0; i < corpus.size(); ++i) corpus[i].id += std::to_string(i);
  CampaignSettings settings = on(reference, {});
  for (const recording::Recording& one : corpus) settings.recordings.push_back(&one);
  settings.shares = by_worth({});
  settings.jobs = 1;
  std::vector<std::size_t> reached;
  settings.on_part = [&](const RecordingResult& result) {
    reached.push_back(static_cast<std::size_t>(&settings.recording(result.recording) - corpus.data()));
  };
  campaign::run(
      settings, [](const CampaignProgress&) {}, [&] { return reached.size() >= 8; });
  std::sort(reached.begin(), reached.end());
  ASSERT_EQ(reached.size(), 8U);
  for (std::size_t i = 0, before = 0; i <= reached.size(); ++i) {
    const std::size_t at = i < reached.size() ? reached[i] : corpus.size();
    EXPECT_LE(at - before, 10U) << "of 40, none between " << before << " and " << at;
    before = at;
  }
}

TEST(Campaign, RunsRecordingsOfTheUpstreamProtocol) {
  const InProcess testee("reference", project().reference);
  recording::Recording other = project().recording("openai.chat/text-plain");
  other.protocol = "openai.responses";
  CampaignSettings settings = on(testee, {"text-plain"});
  settings.recordings.push_back(&other);
  EXPECT_EQ(recordings(run_quietly(settings)).size(), 1U);
  settings.recordings = {&other};
  EXPECT_TRUE(run_quietly(settings).empty());
}

TEST(Campaign, SilenceIsNeverConformance) {
  const std::string ping_only = ": nothing\n\n: more of it\n\n";
  for (const std::string& said : {std::string(), ping_only, std::string("data"), std::string("\n\n\n")}) {
    SCOPED_TRACE(said);
    const Scripted silent([&](const testee::Exchange&) { return said; });
    const auto results = run_quietly(on(silent, {"text-plain"}));
    EXPECT_EQ(row_of(results.front(), "ANT-01").verdict, Verdict::violated);
    EXPECT_EQ(row_of(results.front(), "ANT-02").verdict, Verdict::violated);

    // For a protocol without a contract, only framing is judged. For comments, not even that.
    const Scripted foreign([&](const testee::Exchange&) { return said; }, "example.protocol");
    const auto unjudged = run_quietly(on(foreign, {"text-plain"}));
    const report::Summary summary = report::summarise(unjudged, plain_heading());
    EXPECT_FALSE(summary.conforms());
    EXPECT_EQ(row_of(unjudged.front(), "META-03").verdict, Verdict::met);
    EXPECT_EQ(summary.unjudged.count("openai.chat/text-plain"), said == "data" ? 0U : 1U);
  }
}

TEST(Campaign, CoverageSumsOverRecordings) {
  const InProcess testee("reference", project().reference);
  const auto results = run_quietly(on(testee, {"framing-crlf", "text-multibyte"}));
  ASSERT_EQ(results.size(), 2U);
  const report::Summary summary = report::summarise(results, plain_heading());
  for (std::size_t kind = 0; kind < split::kSeamKinds; ++kind) {
    const auto& a = results[0].coverage.counts[kind];
    const auto& b = results[1].coverage.counts[kind];
    EXPECT_EQ(summary.coverage.counts[kind],
              (split::SeamCoverage::Count{a.applicable + b.applicable, a.cut + b.cut, a.alone + b.alone}));
  }
  EXPECT_TRUE(summary.coverage.uncut().empty());
  EXPECT_EQ(summary.cases, results[0].cases + results[1].cases);
  EXPECT_EQ(summary.outputs, results[0].outputs + results[1].outputs);
}

TEST(Campaign, ComparisonsTripForOutputThatDependsOnTheCut) {
  const auto tripped = [](const std::string& name) {
    return violated(run_quietly(on(*wrong(name), {"text-multibyte", "tool-parallel"})));
  };
  EXPECT_EQ(tripped("id-from-chunk-count"), std::set<std::string>{"META-03"});
  EXPECT_EQ(tripped("mutant:per-chunk-utf8"), (std::set<std::string>{"ANT-20", "META-03", "META-04"}));
  EXPECT_EQ(tripped("stop-twice"), (std::set<std::string>{"ANT-06", "TOOL-23"}));
}

TEST(Campaign, DifferenceOfOneByteIsADifference) {
  const Scripted marking([](const testee::Exchange& exchange) {
    return reference_answer(exchange) + (exchange.chunks.size() == 1 ? ": a\n\n" : ": b\n\n");
  });
  const auto results = run_quietly(on(marking, {"text-plain"}));
  EXPECT_EQ(violated(results), std::set<std::string>{"META-03"});
  EXPECT_EQ(row_of(results.front(), "META-03").violating, 1U);
  EXPECT_EQ(results.front().outputs, 2U);
}

// Two outputs violate a rule in splits of one cut each. The first one seen, with the original chunks, comes later in
// this order.
TEST(Campaign, ReproducerIsTheFirstOfTheShortestCases) {
  const recording::Recording& recording = project().recording("openai.chat/text-plain");
  const std::vector<split::Split> splits = split::planned(subject_of(recording), {});
  const auto lone =
      std::find_if(splits.begin(), splits.end(), [](const split::Split& s) { return s.cuts.size() == 1; });
  ASSERT_NE(lone, splits.end());
  const Scripted failing([&](const testee::Exchange& exchange) -> std::string {
    if (exchange.chunks.size() == 1) return reference_answer(exchange);
    const bool is_lone = exchange.chunks.size() == 2 && exchange.chunks.front().size() == lone->cuts.front();
    return is_lone ? ": one kind of silence\n\n" : ": another\n\n";
  });
  const auto results = run_quietly(on(failing, {"text-plain"}));
  EXPECT_EQ(row_of(results.front(), "ANT-01").first->upstream.cuts, lone->cuts);
}

TEST(Campaign, AnswersThatChangeByThemselvesAreFound) {
  std::atomic<int> asked = 0;
  const Scripted counting([&](const testee::Exchange& exchange) {
    return reference_answer(exchange) + ": " + std::to_string(asked++) + "\n\n";
  });
  CampaignSettings settings = on(counting, {"text-plain", "tool-plain"});
  for (const RecordingResult& result : run_quietly(settings)) {
    EXPECT_EQ(result.outputs, result.cases);
    const Row& bytes = row_of(result, "META-03");
    EXPECT_EQ(bytes.violating, result.cases);
    EXPECT_TRUE(bytes.first->upstream.cuts.empty());
    EXPECT_EQ(row_of(result, "META-04").verdict, Verdict::met);
    EXPECT_EQ(row_of(result, "ANT-01").verdict, Verdict::met);
  }

  // Every second answer is an error, from the first case on. The answer that all are compared with is not.
  const Scripted failing([&](const testee::Exchange& exchange) {
    const std::string error =
        "event: error\ndata: "
        "{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"busy\"}}\n\n";
    return asked++ % 2 == 0 ? reference_answer(exchange) : error;
  });
  asked = 0;
  settings = on(failing, {"text-plain"});
  settings.jobs = 1;
  const auto results = run_quietly(settings);
  EXPECT_EQ(violated(results), (std::set<std::string>{"ANT-20", "END-13", "META-03", "META-04", "UPS-01"}));
  EXPECT_EQ(results.front().outputs, 2U);
  EXPECT_EQ(row_of(results.front(), "META-04").violating, (results.front().cases + 1) / 2);
}

// A rule that needs the response head, which is missing, and that only some outputs trigger.
TEST(Campaign, ReasonBelongsToTheVerdict) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "splitproof_campaign_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "own.yaml") << R"(contract: anthropic.messages.downstream
version: 1
events: {ping: {/type: ping}}
obligations:
  - {id: OWN-01, level: must, says: A rule., why: A reason., seen: [], each: ping, equal: [/type, response./status]}
)";
  const auto contracts = contract::Contracts::load({folder}).value();
  const Scripted pinging([](const testee::Exchange& exchange) {
    return exchange.chunks.size() == 1 ? std::string("event: ping\ndata: {\"type\":\"ping\"}\n\n")
                                       : std::string();
  });
  CampaignSettings settings = on(pinging, {"text-plain"});
  settings.contracts = &contracts;
  const auto results = run_quietly(settings);
  const Row& mixed = row_of(results.front(), "OWN-01");
  EXPECT_EQ(mixed.verdict, Verdict::not_judged);

  settings.only = "*gen=whole";
  const auto whole = run_quietly(settings);
  EXPECT_EQ(row_of(whole.front(), "OWN-01").verdict, Verdict::not_judged);
  EXPECT_EQ(mixed.reason, row_of(whole.front(), "OWN-01").reason);
  settings.only = "*gen=bytes";
  const auto silent = run_quietly(settings);
  EXPECT_EQ(row_of(silent.front(), "OWN-01").verdict, Verdict::not_exercised);
  EXPECT_NE(mixed.reason, row_of(silent.front(), "OWN-01").reason);
  report::Heading heading = plain_heading();
  heading.rules = campaign::rules_of(contracts);
  EXPECT_FALSE(report::summarise(results, heading).conforms());
  std::filesystem::remove_all(folder);
}

TEST(Campaign, RulesReadTheClientsRequest) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "splitproof_requests";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "own.yaml") << R"(contract: anthropic.messages.downstream
version: 1
events: {ping: {/type: ping}}
obligations:
  - {id: OWN-01, level: must, says: A rule., each: ping, equal: [/asked, request./stream]}
  - {id: OWN-02, level: must, says: A rule., each: ping, equal: [/asked, request./model]}
)";
  const auto contracts = contract::Contracts::load({folder}).value();
  for (const bool asked : {true, false}) {
    const Scripted pinging([&](const testee::Exchange&) {
      return std::string("event: ping\ndata: {\"type\":\"ping\",\"asked\":") + (asked ? "true" : "false") +
             "}\n\n";
    });
    CampaignSettings settings = on(pinging, {"text-plain"});
    settings.contracts = &contracts;
    const auto results = run_quietly(settings);
    EXPECT_EQ(row_of(results.front(), "OWN-01").verdict, asked ? Verdict::met : Verdict::violated);
    EXPECT_EQ(row_of(results.front(), "OWN-02").verdict, Verdict::violated)
        << "the model is the target's own";
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace splitproof::campaign::campaign_test
