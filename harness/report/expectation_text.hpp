#pragma once

#include <string>
#include <vector>

#include "harness/results/expectation.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns an expectation file for every deciding violation in `results`. It keeps the comments, order and
/// globs of `before`. New entries are added at the end: each has the beginning of a message, and the whole
/// message as its reason. `whole`: the results are of a whole run, so stale entries are removed.
std::string expectation_text(const results::ExpectationFile& before,
                             const std::vector<results::RecordingResult>& results, bool strict, bool whole);

}  // namespace splitproof::report
