#pragma once

#include "harness/campaign/campaign.hpp"

namespace splitproof::campaign {

/// Runs the splits of one recording that `settings.only` leaves, one after the other, and judges every
/// different output once. Asks `stop` before each; nothing comes of a recording that was stopped.
std::optional<RecordingResult> run_recording(const Settings& settings, const testee::Testee& testee,
                                             const recording::Recording& recording,
                                             const std::function<bool()>& stop);

}  // namespace splitproof::campaign
