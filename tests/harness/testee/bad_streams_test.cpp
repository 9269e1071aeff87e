#include "bad_streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case_id.hpp"
#include "harness/campaign/judgement.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/upstream.hpp"
#include "project.hpp"
#include "tests/sanitized.hpp"

namespace splitproof {
namespace {

using campaign::RecordingResult;
using campaign::Row;
using contract::Verdict;
using testee::BadStream;
using testee::InProcess;

struct Finding {
  const RecordingResult* in;
  const Row* row;
};

std::vector<Finding> findings(const std::vector<RecordingResult>& results) {
  std::vector<Finding> found;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      if (row.verdict == Verdict::violated) found.push_back({&result, &row});
    }
  }
  return found;
}

// Runs one case alone, from its id, and says what became of one obligation there.
contract::Judged judged_alone(const testee::Testee& testee, const std::string& case_id,
                              const std::string& obligation) {
  const auto id = campaign::parse_case_id(case_id).value();
  const recording::Recording& recording = project().recording(id.recording);
  const campaign::Upstream upstream = campaign::upstream_of(id, recording).value();
  campaign::CaseId as_arrived = id;
  as_arrived.split = campaign::CaseId().split;
  const campaign::Judge judge(project().contracts, project().profile, testee, recording);
  const campaign::Reading reading =
      judge.read(campaign::upstream_of(as_arrived, recording).value(), !id.fault.empty());
  const testee::Observation seen = testee.observe(campaign::exchange_of(upstream, recording));
  for (contract::Judged& judged : judge.judge(reading, upstream, seen)) {
    if (judged.obligation->id == obligation) return judged;
  }
  ADD_FAILURE() << obligation << " was not judged at all";
  return {};
}

// A moderate number of cases for each recording: as recorded, whole, byte by byte, and random ones.
campaign::Settings settings(const testee::Testee& testee) {
  campaign::Settings settings = project().settings(testee);
  settings.trials.splits.random = 2;
  settings.only = "*&gen=[rwb]*";
  return settings;
}

class BadStreams : public testing::TestWithParam<BadStream> {};

TEST_P(BadStreams, AreCaughtByTheirObligationAndReproduced) {
  const BadStream& bad = GetParam();
  SCOPED_TRACE(bad.does);
  const InProcess testee(bad.name, testee::bad_stream(bad.name, project().reference));
  const auto results = run_quietly(settings(testee));
  ASSERT_EQ(results.size(), project().corpus.recordings.size());

  std::set<std::string> tripped;
  for (const Finding& finding : findings(results)) {
    const Row& row = *finding.row;
    EXPECT_EQ(row.level, row.obligation->level);
    EXPECT_GT(row.violating, 0U);
    ASSERT_TRUE(row.first.has_value());
    // One finding of each obligation stands for the others.
    if (!tripped.insert(row.obligation->id).second) continue;
    SCOPED_TRACE(row.first->case_id);
    EXPECT_FALSE(row.first->message.empty());
    const contract::Judged alone = judged_alone(testee, row.first->case_id, row.obligation->id);
    EXPECT_EQ(alone.verdict, Verdict::violated) << row.obligation->id;
    EXPECT_EQ(alone.message, row.first->message);
    EXPECT_EQ(alone.event, row.first->event);
    EXPECT_EQ(alone.begin, row.first->begin);
    EXPECT_EQ(alone.end, row.first->end);

    campaign::Settings only = settings(testee);
    only.recordings = {finding.in->recording};
    only.only = row.first->case_id;
    const auto again = run_quietly(only);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again.front().cases, 1U);
    const auto same = findings(again);
    EXPECT_TRUE(std::any_of(same.begin(), same.end(), [&](const Finding& one) {
      return one.row->obligation == row.obligation && one.row->first->case_id == row.first->case_id;
    })) << row.obligation->id;
  }
  EXPECT_EQ(tripped.count(bad.caught_by), 1U) << "it tripped " << testing::PrintToString(tripped);
}

// All of them; under a sanitizer every fifth, as each takes the whole corpus.
std::vector<BadStream> tried() {
  const std::vector<BadStream>& all = testee::bad_streams();
  std::vector<BadStream> some;
  for (std::size_t i = 0; i < all.size(); i += kSanitized ? 5 : 1) some.push_back(all[i]);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Testee, BadStreams, testing::ValuesIn(tried()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(BadStreamTable, NamesFaultsOnceAndObligationsThatDecide) {
  std::set<std::string> names;
  for (const BadStream& bad : testee::bad_streams()) {
    SCOPED_TRACE(bad.name);
    EXPECT_TRUE(names.insert(bad.name).second);
    const bool meta = project().contracts.find(bad.caught_by) == nullptr;
    const contract::Obligation* obligation =
        meta ? &campaign::meta_obligation(bad.caught_by) : project().contracts.find(bad.caught_by);
    ASSERT_NE(obligation, nullptr);
    // Blocks left open under an error are the one piece of advice in the table.
    EXPECT_EQ(obligation->level, bad.caught_by == "END-07" ? contract::Level::should : contract::Level::must);
  }
}

TEST(BadStreamTable, LeavesTheReferenceAloneWithoutAFault) {
  const InProcess plain("reference", project().reference);
  const InProcess same("same-events", testee::same_events(project().reference));
  for (const InProcess* testee : {&plain, &same}) {
    SCOPED_TRACE(testee->name());
    const auto results = run_quietly(project().settings(*testee));
    EXPECT_EQ(results.size(), project().corpus.recordings.size());
    for (const Finding& finding : findings(results)) {
      ADD_FAILURE() << finding.row->obligation->id << " " << finding.row->first->case_id << ": "
                    << finding.row->first->message;
    }
  }
}

}  // namespace
}  // namespace splitproof
