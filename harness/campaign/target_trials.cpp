#include "harness/campaign/target_trials.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/connections.hpp"
#include "harness/campaign/isolation.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::campaign {
namespace {

using results::RecordingResult;
using results::Reproducer;
using results::Row;

Row row_of_trial(const contract::Judged& judged, const testee::Testee& testee,
                 const recording::Recording& recording) {
  Row row;
  row.rule = judged.obligation->id;
  row.level = judged.obligation->level;
  row.verdict = judged.verdict;
  row.reason = judged.reason;
  row.cases = 1;
  if (judged.verdict != contract::Verdict::violated) return row;
  row.violating = 1;
  Reproducer first;
  first.case_id = to_string(Case{recording.id, testee.client()});
  first.upstream = {recording.body, {}, recording.end};
  first.message = judged.message + "; only several streams show it, and a case has one stream";
  row.first = first;
  return row;
}

class TrialRunner {
 public:
  TrialRunner(const CampaignSettings& settings, const std::vector<const PlannedRound*>& rounds,
              const std::function<bool()>& stop)
      : settings_(settings), rounds_(rounds), stop_(stop) {}

  // Runs once for a testee, with the first suitable recording: in a complete campaign, or if `only` names
  // acts.
  void try_acts(std::size_t place) {
    // All exchanges of a trial must reach the same program.
    const testee::InstanceClaim claim(*settings_.testees[place]);
    const testee::Testee& testee = claim.instance();
    const bool apart = asks_for_acts(settings_.only);
    if ((!settings_.only.empty() || settings_.trials.listed != nullptr) && !apart) return;
    for (const recording::Recording* recording : settings_.recordings) {
      if (!testee.traits().takes(recording->protocol) || is_about_request(*recording) || stop_()) continue;
      if (!canary_stream(*recording, 0) || !claims(testee, *recording, settings_.profile)) continue;
      const auto round = std::find_if(rounds_.begin(), rounds_.end(), [&](const PlannedRound* one) {
        return one->testee == place && one->recording == recording;
      });
      const bool is_first_shard = !settings_.shard || settings_.shard->number == 0;
      if (apart ? !is_first_shard : round == rounds_.end() || !has_trials(**round)) return;
      const auto begin = std::chrono::steady_clock::now();
      std::vector<Row> rows = try_connections(testee, *recording, settings_.profile, settings_.only, [&] {
        return stop_() || std::chrono::steady_clock::now() - begin >= settings_.time_for_acts;
      });
      if (apart && testee.traits().over_http) return add_acts(testee, *recording, std::move(rows));
      if (round != rounds_.end()) trials_.rows[*round] = std::move(rows);
      return;
    }
  }

  // Runs one trial for an external testee, with the first suitable recording, in a complete campaign. Without
  // canary streams for the protocol, the first recording reports that.
  void try_isolation(std::size_t place) {
    const testee::InstanceClaim claim(*settings_.testees[place]);
    const testee::Testee& testee = claim.instance();
    if (!testee.traits().outside || testee.traits().is_client() || !settings_.only.empty() ||
        settings_.trials.listed != nullptr)
      return;
    const bool in_vain = dialect::upstream_of(testee.upstream()) == nullptr;
    for (const PlannedRound* round : rounds_) {
      if (round->testee != place || round->extent.cases == 0 || stop_()) continue;
      if (!in_vain && !canary_stream(*round->recording, 0)) continue;
      if (!has_trials(*round)) return;
      std::vector<Row>& rows = trials_.rows[round];
      rows.insert(rows.begin(),
                  row_of_trial(judge_isolation(testee, *round->recording), testee, *round->recording));
      return;
    }
  }

  TargetTrials end() { return std::move(trials_); }

 private:
  // True if this run has the first case of the round. Another shard may have it, or an earlier run.
  static bool has_trials(const PlannedRound& round) { return round.range.begin == 0 && !round.range.empty(); }

  void add_acts(const testee::Testee& testee, const recording::Recording& recording, std::vector<Row> rows) {
    RecordingResult& result = trials_.acts.emplace_back();
    result.target = testee.name();
    result.recording = recorded_of(recording);
    result.cases = 1;  // the trial without an act
    for (const Row& row : rows) result.cases = std::max(result.cases, row.cases);
    result.called = result.cases;
    result.rows = std::move(rows);
  }

  const CampaignSettings& settings_;
  const std::vector<const PlannedRound*>& rounds_;
  const std::function<bool()>& stop_;
  TargetTrials trials_;
};

}  // namespace

TargetTrials run_trials(const CampaignSettings& settings, const std::vector<const PlannedRound*>& rounds,
                        const std::function<bool()>& stop) {
  TrialRunner runner(settings, rounds, stop);
  for (std::size_t i = 0; i < settings.testees.size(); ++i) runner.try_acts(i);
  for (std::size_t i = 0; i < settings.testees.size(); ++i) runner.try_isolation(i);
  return runner.end();
}

}  // namespace splitproof::campaign
