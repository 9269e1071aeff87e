#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/observe/answer.hpp"
#include "harness/result.hpp"

namespace splitproof::campaign {

/// Result of running a recording.
struct RecordingOutcome {
  /// Nullopt: `stop` came before any case, or the testee was lost.
  std::optional<results::RecordingResult> result;
  std::string unavailable = {};  ///< reason why the testee was lost; empty: it was not
  bool silent = false;           ///< the allowed number of exchanges hung, and none was answered
  bool stopped = false;          ///< `stop` ended it; the result has the earlier cases
};

/// True if two readings of upstreams have the same meaning; other recuts are skipped. Shapes that a
/// translator may fail at can differ.
bool says_the_same(observe::Answer a, observe::Answer b);

/// Runs one recording through one testee in one round, share by share.
class RecordingRun {
 public:
  /// The references must outlive it. `stop` is called before every case, `on_case` after it.
  RecordingRun(const CampaignSettings& settings, Round round, const testee::Testee& testee,
               const recording::Recording& recording, const std::function<bool()>& stop,
               const std::function<void()>& on_case);
  ~RecordingRun();
  RecordingRun(const RecordingRun&) = delete;
  RecordingRun& operator=(const RecordingRun&) = delete;

  /// Runs a share. Returns the result of all shares so far.
  RecordingOutcome run(const Share& share);

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

/// Returns the extent of a recording's round.
Extent extent_of(const CampaignSettings& settings, Round round, const testee::Testee& testee,
                 const Surveyed& surveyed);

}  // namespace splitproof::campaign
