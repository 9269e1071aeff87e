#pragma once

#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::report {

/// What a shields endpoint answers: the verdict, as a badge has room for it.
std::string badge(const std::vector<campaign::RecordingResult>& results, const Heading& heading,
                  const Summary& summary, bool complete);

}  // namespace splitproof::report
