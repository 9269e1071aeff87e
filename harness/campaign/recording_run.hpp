#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/campaign/campaign.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/observe/answer.hpp"
#include "harness/result.hpp"

namespace splitproof::campaign {

/// What running a recording came to.
struct RecordingOutcome {
  std::optional<RecordingResult>
      result;                    ///< none where `stop` ended it before any case, or the testee was lost
  std::string unavailable = {};  ///< why the testee was lost; empty: it was not
  bool silent = false;           ///< so many exchanges as may hang did, and none did not
  bool stopped = false;          ///< the result is of the cases before `stop` ended it
};

/// Whether two readings of upstreams say the same: a recut that does not is passed over. What a translator can trip over on
/// the way may differ.
bool says_the_same(const observe::Answer& a, const observe::Answer& b);

/// Runs one recording's cases of one round through one testee. `stop` is asked before every case.
RecordingOutcome run_recording(const Settings& settings, Round round, const testee::Testee& testee,
                               const recording::Recording& recording, const std::function<bool()>& stop);

/// Judges what was seen of a recording once more, with nothing run. The evidence must have its recording, to which the
/// result points. An Error names an exhibit whose case cannot be read.
Result<RecordingResult> judge_again(const Settings& settings, const evidence::Evidence& evidence);

/// Whether `--only` leaves any case of that round.
bool selects(const Settings& settings, Round round, const testee::Testee& testee,
             const recording::Recording& recording);

/// How many cases it leaves, with those whose recut might turn out to say something else.
std::size_t count_cases(const Settings& settings, Round round, const testee::Testee& testee,
                        const recording::Recording& recording);

}  // namespace splitproof::campaign
