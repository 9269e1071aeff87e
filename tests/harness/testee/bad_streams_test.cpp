#include "bad_streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case_lab.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/cause/cause.hpp"
#include "harness/contract/clients.hpp"
#include "mutant_targets.hpp"
#include "project.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::bad_streams_test {
namespace {

using contract::Verdict;
using results::RecordingResult;
using results::Row;
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

// Runs one case by its id, and returns the verdict on one obligation.
contract::Judged judged_alone(const testee::Testee& testee, const std::string& case_id,
                              const std::string& obligation) {
  const auto id = campaign::parse_case(case_id).value();
  const recording::Recording& recording = project().recording(id.recording);
  campaign::Seen seen(testee);
  campaign::CaseLab lab(project().contracts, project().profile, testee.traits(), recording, std::ref(seen));
  campaign::JudgedCase run = lab.run(id).value();
  for (contract::Judged& judged : run.all) {
    if (judged.obligation->id == obligation) return judged;
  }
  ADD_FAILURE() << obligation << " was not judged at all";
  return {};
}

// Returns settings with few cases for each recording: original chunks, whole, single bytes, and one random split.
campaign::CampaignSettings settings(const testee::Testee& testee) {
  campaign::CampaignSettings settings = project().settings(testee);
  settings.trials.splits.random = 1;
  settings.only = "*&gen=[rwb]*";
  return settings;
}

// A translator with one fault, around the reference or inside its sources.
struct Fault {
  std::string name;
  std::string does;
  std::string caught_by;
  std::function<std::unique_ptr<const testee::Testee>()> testee;
};

std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const BadStream& bad : testee::bad_streams()) {
    all.push_back({bad.name, bad.does, bad.caught_by, [name = bad.name] {
                     return std::make_unique<InProcess>(name, testee::bad_stream(name, project().reference));
                   }});
  }
  const testee::InProcess reference("reference", project().reference);
  for (const testee::Variant& mutant : mutants::mutants_library()->variants()) {
    if (mutant.upstream != reference.upstream() || mutant.client != reference.client()) continue;
    if (!mutant.profile.empty()) continue;  // invisible by default; tests/mutants kills it
    const contract::Obligation* obligation = project().contracts.find(mutant.obligation);
    // only visible in requests
    if (obligation != nullptr && campaign::is_of_requests(*obligation)) continue;
    all.push_back({mutant.name, mutant.says, mutant.obligation, [mutant] {
                     return std::make_unique<testee::LibraryTestee>(
                         mutants::mutant_target(mutant, project().profile));
                   }});
  }
  return all;
}

// Faults for which a run reports another obligation first, with the reason.
const std::map<std::string, std::string>& told_otherwise() {
  static const std::map<std::string, std::string> all = {
      {"blank-line-missing",
       "the event that is not ended is message_stop: a client sees none, which is told"},
      {"empty-leading-text",
       "clients do worse with the one recording in which thinking is between its texts"},
      {"finish-reason-passed-on", "a lost legacy function_call is graver than an unknown stop_reason"},
      {"regex-arg-rename", "META-04 is for recuts, of which there are none here"},
      {"torn-at-the-end", "an error that looks like success is graver than data that a client refuses"},
      {"usage-missing", "wrong input tokens cost money; missing output tokens are an error of form"},
      {"think-tag-per-chunk", "META-04 is for recuts, of which there are none here"}};
  return all;
}

// Expects that the first report of a fault is its own rule, or a rule that includes it.
void expect_told_first(const Fault& fault, const std::vector<RecordingResult>& results) {
  static const contract::Clients clients =
      contract::Clients::load({std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/contracts"},
                              project().contracts)
          .value();
  const contract::Obligation* rule = project().contracts.find(fault.caught_by);
  const bool is_advice = rule != nullptr && rule->level == contract::Level::should;
  const auto causes = cause::causes_of(results, project().rules, clients, is_advice);
  std::vector<const results::Rule*> told;
  if (!causes.empty()) {
    told = causes.front().below;
    told.insert(told.begin(), causes.front().rule);
  }
  const bool is_its = std::any_of(told.begin(), told.end(),
                                  [&](const results::Rule* one) { return one->id == fault.caught_by; });
  EXPECT_NE(is_its, told_otherwise().count(fault.name) != 0)
      << (told.empty() ? "nothing" : told.front()->id) << " is told first, and " << fault.caught_by
      << " is for " << fault.name;
}

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AreCaughtByTheirObligationAndReproduced) {
  const Fault& fault = GetParam();
  SCOPED_TRACE(fault.does);
  const auto made = fault.testee();
  const testee::Testee& testee = *made;
  const auto results = run_quietly(settings(testee));
  ASSERT_EQ(results.size(), project().corpus.recordings.size());

  std::set<std::string> tripped;
  for (const Finding& finding : findings(results)) {
    const Row& row = *finding.row;
    EXPECT_EQ(row.level, project().rules.at(row.rule).level);
    EXPECT_GT(row.violating, 0U);
    ASSERT_TRUE(row.first.has_value());
    // One finding of each obligation is enough.
    if (!tripped.insert(row.rule).second) continue;
    SCOPED_TRACE(row.first->case_id);
    EXPECT_FALSE(row.first->message.empty());
    const contract::Judged alone = judged_alone(testee, row.first->case_id, row.rule);
    EXPECT_EQ(alone.verdict, Verdict::violated) << row.rule;
    EXPECT_EQ(alone.message, row.first->message);
    EXPECT_EQ(alone.event, row.first->place.event);
    EXPECT_EQ(alone.begin, row.first->place.begin);
    EXPECT_EQ(alone.end, row.first->place.end);

    campaign::CampaignSettings only = settings(testee);
    only.recordings = {&project().recording(finding.in->recording.id)};
    only.only = row.first->case_id;
    const auto again = run_quietly(only);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again.front().cases, 1U);
    const auto same = findings(again);
    EXPECT_TRUE(std::any_of(same.begin(), same.end(), [&](const Finding& one) {
      return one.row->rule == row.rule && one.row->first->case_id == row.first->case_id;
    })) << row.rule;
  }
  EXPECT_EQ(tripped.count(fault.caught_by), 1U) << "it tripped " << testing::PrintToString(tripped);
  expect_told_first(fault, results);
}

// True for every bad stream, and for the first mutant of each obligation without a bad stream. tests/mutants kills all
// mutants. Sanitized builds try every sixth, because each needs the whole corpus.
bool is_tried(const Fault& fault) {
  static const std::set<std::string> names = [] {
    std::set<std::string> each;
    std::set<std::string> obligations;
    for (const Fault& one : faults()) {
      const bool is_new = obligations.insert(one.caught_by).second;
      if (is_new || each.size() < testee::bad_streams().size()) each.insert(one.name);
    }
    return each;
  }();
  return names.count(fault.name) != 0;
}

std::vector<Fault> some(bool tried) {
  std::vector<Fault> some;
  std::size_t number = 0;
  for (Fault& fault : faults())
    if (is_tried(fault) == tried && number++ % (kSanitized ? 6 : 1) == 0) some.push_back(std::move(fault));
  return some;
}

std::string name_of(const testing::TestParamInfo<Fault>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Testee, Faults, testing::ValuesIn(some(true)), name_of);

class OtherFaults : public testing::TestWithParam<Fault> {};

TEST_P(OtherFaults, AreReportedFirst) {
  SCOPED_TRACE(GetParam().does);
  const auto made = GetParam().testee();
  expect_told_first(GetParam(), run_quietly(settings(*made)));
}

INSTANTIATE_TEST_SUITE_P(Testee, OtherFaults, testing::ValuesIn(some(false)), name_of);

// Names are compared without their spelling, so that each fault is in one place.
TEST(FaultTable, NamesEachOnce) {
  std::map<std::string, std::string> names;
  for (const Fault& fault : faults()) {
    std::string letters;
    for (const char c : fault.name)
      if (std::isalnum(static_cast<unsigned char>(c)) != 0)
        letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto [known, is_new] = names.emplace(letters, fault.name);
    EXPECT_TRUE(is_new) << fault.name << " and " << known->second;
  }
}

TEST(BadStreamTable, NamesObligationsThatDecide) {
  // Advice: blocks left open under an error, and another model at the end.
  const std::set<std::string> advice{"END-07", "ANT-36"};
  for (const BadStream& bad : testee::bad_streams()) {
    SCOPED_TRACE(bad.name);
    const bool meta = project().contracts.find(bad.caught_by) == nullptr;
    const contract::Obligation* obligation =
        meta ? &campaign::meta_obligation(bad.caught_by) : project().contracts.find(bad.caught_by);
    ASSERT_NE(obligation, nullptr);
    EXPECT_EQ(obligation->level,
              advice.contains(bad.caught_by) ? contract::Level::should : contract::Level::must);
  }
}

TEST(BadStreamTable, LeavesTheReferenceAloneWithoutAFault) {
  const InProcess plain("reference", project().reference);
  const InProcess same("same-events", testee::same_events(project().reference));
  for (const InProcess* testee : {&plain, &same}) {
    SCOPED_TRACE(testee->name());
    const auto results = run_quietly(settings(*testee));
    EXPECT_EQ(results.size(), project().corpus.recordings.size());
    for (const Finding& finding : findings(results)) {
      ADD_FAILURE() << finding.row->rule << " " << finding.row->first->case_id << ": "
                    << finding.row->first->message;
    }
  }
}

}  // namespace
}  // namespace splitproof::bad_streams_test
