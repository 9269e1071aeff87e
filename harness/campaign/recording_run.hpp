#pragma once

#include "harness/campaign/campaign.hpp"

namespace splitproof::campaign {

/// Runs the splits of one recording that `settings.only` leaves, one after the other, and judges every
/// different output once.
RecordingResult run_recording(const Settings& settings, const testee::Testee& testee,
                              const recording::Recording& recording);

}  // namespace splitproof::campaign
