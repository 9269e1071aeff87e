#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/campaign/campaign.hpp"

namespace splitproof::campaign {

/// What running a recording came to.
struct RecordingOutcome {
  std::optional<RecordingResult> result;  ///< none where `stop` ended it, or the testee was lost
  std::string unavailable;                ///< why the testee was lost; empty: it was not
};

/// Runs one recording's cases of one round through one testee. `stop` is asked before every case.
RecordingOutcome run_recording(const Settings& settings, Round round, const testee::Testee& testee,
                               const recording::Recording& recording, const std::function<bool()>& stop);

/// Adds what a later round found out about the same recording and testee.
void join(RecordingResult& result, RecordingResult later);

/// Whether `--only` leaves any case of that round.
bool selects(const Settings& settings, Round round, const testee::Testee& testee,
             const recording::Recording& recording);

}  // namespace splitproof::campaign
