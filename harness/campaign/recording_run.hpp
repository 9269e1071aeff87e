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

/// What running a recording came to.
struct RecordingOutcome {
  std::optional<results::RecordingResult>
      result;                    ///< none where `stop` ended it before any case, or the testee was lost
  std::string unavailable = {};  ///< why the testee was lost; empty: it was not
  bool silent = false;           ///< so many exchanges as may hang did, and none did not
  bool stopped = false;          ///< the result is of the cases before `stop` ended it
};

/// Whether two readings of upstreams say the same: a recut that does not is passed over. What a translator can trip over on
/// the way may differ.
bool says_the_same(observe::Answer a, observe::Answer b);

/// One recording through one testee, in one round, a share of its cases after the other.
class RecordingRun {
 public:
  /// The references must outlive it. `stop` is asked before every case, `on_case` called after it.
  RecordingRun(const CampaignSettings& settings, Round round, const testee::Testee& testee,
               const recording::Recording& recording, const std::function<bool()>& stop,
               const std::function<void()>& on_case);
  ~RecordingRun();
  RecordingRun(const RecordingRun&) = delete;
  RecordingRun& operator=(const RecordingRun&) = delete;

  /// Runs a share, and tells what came of it and of all before.
  RecordingOutcome run(const Share& share);

  /// Hands what was seen in whole shares to `Settings::keep`, behind the last that is run.
  void keep();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Judges what was seen of a recording once more, with nothing run. The evidence must have its recording, to which the
/// result points. An Error names an exhibit whose case cannot be read.
Result<results::RecordingResult> judge_again(const CampaignSettings& settings,
                                             const evidence::Evidence& evidence);

/// What its round comes to.
Extent extent_of(const CampaignSettings& settings, Round round, const testee::Testee& testee,
                 const Surveyed& surveyed);

}  // namespace splitproof::campaign
