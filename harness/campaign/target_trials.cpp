#include "harness/campaign/target_trials.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/connections.hpp"
#include "harness/campaign/isolation.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::campaign {
namespace {

using results::RecordingResult;
using results::Reproducer;
using results::Row;

constexpr std::size_t kMostRecordings = 5;  // tried until the testee handles one of them alone

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

  // Runs once for a testee, with the first suitable recordings: in a complete campaign, or if `only` names
  // acts.
  void try_acts(std::size_t place) {
    // All exchanges of a trial must reach the same program.
    const testee::InstanceClaim claim(*settings_.testees[place]);
    const testee::Testee& testee = claim.instance();
    const bool apart = asks_for_acts(settings_.only);
    if ((!settings_.only.empty() || settings_.trials.listed != nullptr) && !apart) return;
    const std::size_t most = testee.traits().over_http ? kMostRecordings : 1;
    const recording::Recording* first = nullptr;
    std::vector<const recording::Recording*> suitable;
    for (const recording::Recording* recording : settings_.recordings) {
      if (!testee.traits().takes(recording->protocol) || is_about_request(*recording) || stop_()) continue;
      if (!canary_stream(*recording, 0) || !claims(testee, *recording, settings_.profile)) continue;
      const bool is_first_shard = !settings_.shard || settings_.shard->number == 0;
      const bool is_ours = apart ? is_first_shard : has_trials(round_of(place, *recording));
      if (!is_ours && first == nullptr) return;
      if (first == nullptr) first = recording;
      const bool fits = !testee.traits().over_http || testee.traits().is_client() ||
                        other_form(alone(testee, *first).seen, testee.traits(), recording->body).empty();
      if (is_ours && fits) suitable.push_back(recording);
      if (suitable.size() == most) break;
    }
    if (first == nullptr) return;
    if (suitable.empty()) suitable = {first};
    const auto begin = std::chrono::steady_clock::now();
    auto [recording, rows] = try_connections(testee, suitable, settings_.profile, settings_.only, [&] {
      return stop_() || std::chrono::steady_clock::now() - begin >= settings_.time_for_acts;
    });
    if (apart && testee.traits().over_http) return add_acts(testee, *recording, std::move(rows));
    if (const PlannedRound* round = round_of(place, *recording)) trials_.rows[round] = std::move(rows);
  }

  // Runs one trial for an external testee, with the first suitable recording that the testee handles alone, in a complete
  // campaign. Without canary streams for the protocol, the first recording reports that.
  void try_isolation(std::size_t place) {
    const testee::InstanceClaim claim(*settings_.testees[place]);
    const testee::Testee& testee = claim.instance();
    if (!testee.traits().outside || testee.traits().is_client() || !settings_.only.empty() ||
        settings_.trials.listed != nullptr)
      return;
    const bool in_vain = dialect::upstream_of(testee.upstream()) == nullptr;
    const PlannedRound* first = nullptr;
    std::string why;
    std::size_t failed = 0;
    for (const PlannedRound* round : rounds_) {
      if (round->testee != place || round->extent.cases == 0 || stop_()) continue;
      if (!in_vain && !canary_stream(*round->recording, 0)) continue;
      if (!has_trials(round) && first == nullptr) return;
      if (!has_trials(round)) continue;
      if (first == nullptr) first = round;
      const AloneResult result = in_vain ? AloneResult() : alone(testee, *round->recording);
      if (result.wrong.empty())
        return add_isolation(judge_isolation(testee, *round->recording), testee, *round);
      if (why.empty()) why = result.wrong;
      failed += result.fits ? 1 : 0;
      if (failed == kMostRecordings) break;
    }
    if (first == nullptr || why.empty()) return;
    add_isolation(contract::not_judged(meta_obligation(kApart), why), testee, *first);
  }

  TargetTrials end() { return std::move(trials_); }

 private:
  // Tries each recording once.
  const AloneResult& alone(const testee::Testee& testee, const recording::Recording& recording) {
    const auto known = alone_.find({&testee, &recording});
    if (known != alone_.end()) return known->second;
    return alone_.emplace(std::pair(&testee, &recording), try_alone(testee, recording)).first->second;
  }

  const PlannedRound* round_of(std::size_t place, const recording::Recording& recording) const {
    const auto round = std::find_if(rounds_.begin(), rounds_.end(), [&](const PlannedRound* one) {
      return one->testee == place && one->recording == &recording;
    });
    return round == rounds_.end() ? nullptr : *round;
  }

  // True if this run has the first case of the round. Another shard may have it, or an earlier run.
  static bool has_trials(const PlannedRound* round) {
    return round != nullptr && round->range.begin == 0 && !round->range.empty();
  }

  void add_isolation(const contract::Judged& judged, const testee::Testee& testee,
                     const PlannedRound& round) {
    std::vector<Row>& rows = trials_.rows[&round];
    rows.insert(rows.begin(), row_of_trial(judged, testee, *round.recording));
  }

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
  std::map<std::pair<const testee::Testee*, const recording::Recording*>, AloneResult> alone_;
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
