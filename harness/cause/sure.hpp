#pragma once

#include <map>
#include <set>
#include <vector>

#include "harness/cause/cause.hpp"

namespace splitproof::cause {

/// Findings, each with its recording.
using FindingRows = std::map<const results::Row*, const results::RecordingResult*>;

/// Returns the findings of the causes that may have another cause:
///
/// - Findings of few recordings whose rule names another cause that it does not follow. Also the findings
///   that usually accompany them there.
/// - Findings of answers that are documents, if the cause shows in streams. Programs handle documents in
///   other code.
std::set<const results::Row*> unsure_of(const std::vector<Cause>& causes, const FindingRows& findings);

}  // namespace splitproof::cause
