#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/observe/answer.hpp"
#include "harness/result.hpp"
#include "harness/shard/ranges.hpp"

namespace splitproof::campaign {

/// Result of running a recording.
struct RecordingOutcome {
  /// Nullopt: `stop` came before any case, or the testee was lost.
  std::optional<results::RecordingResult> result;
  std::string unavailable = {};  ///< Reason why the testee was lost; empty: it was not.
  bool silent = false;           ///< The allowed number of exchanges hung, and none was answered.
  bool stopped = false;          ///< `stop` ended it; the result has the earlier cases.
};

/// True if two readings of upstreams have the same meaning; other recuts are skipped. Shapes that a
/// translator may fail at can differ.
bool says_the_same(observe::Answer a, observe::Answer b);

/// The cases of one round in the order of all planned cases of a recording with a testee.
struct RoundPlace {
  Round round = Round::exact;
  std::size_t begin = 0;  ///< Cases of earlier rounds.
  std::size_t of = 0;  ///< Cases of all rounds; 0: the order of the shares differs, and no part has a place.
};

/// Functions that a run of a recording calls.
struct RunCalls {
  std::function<bool()> stop;     ///< Before every case.
  std::function<void()> on_case;  ///< After every case.
  /// With the result of the cases since the last call: at the end of a share, and earlier if it takes long.
  std::function<void(const results::RecordingResult&)> on_part;
};

/// Runs one recording through one testee in one round, share by share.
class RecordingRun {
 public:
  /// Runs the recording in its original chunks. The references must outlive it, except `testee`.
  RecordingRun(const CampaignSettings& settings, RoundPlace place, const testee::Testee& testee,
               const recording::Recording& recording, const RunCalls& calls);
  ~RecordingRun();
  RecordingRun(const RecordingRun&) = delete;
  RecordingRun& operator=(const RecordingRun&) = delete;

  /// Runs these cases of a share, counted from the begin of the round. Returns the result of all shares so
  /// far. `testee` is the one of the constructor, or another instance of it.
  RecordingOutcome run(const Share& share, const shard::CaseRange& range, const testee::Testee& testee);

  /// Passes the evidence of complete shares to `Settings::keep`. Call it after the last share.
  void keep();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Judges the evidence of a recording again without running anything. The evidence must have its recording,
/// and the result points to it. The Error names an exhibit with an invalid case.
Result<results::RecordingResult> judge_again(const CampaignSettings& settings,
                                             const evidence::Evidence& evidence);

/// Returns the extent of a share of a recording's round.
Extent extent_of(const CampaignSettings& settings, Round round, const Share& share,
                 const testee::Testee& testee, const Surveyed& surveyed);

}  // namespace splitproof::campaign
