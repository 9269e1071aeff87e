#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"

namespace splitproof::report {

/// Returns the first sentence of a report: "FAIL: 31 bugs (561 findings) in 2,855 cases, 58 s; my-proxy crashes
/// (bug 1)". It begins with PASS, PASS SO FAR, FAIL, NOT TESTED or INTERRUPTED. `complete = false`: the run was
/// interrupted.
std::string headline(const std::vector<results::RecordingResult>& results, const Heading& heading,
                     const Summary& summary, bool complete = true);

}  // namespace splitproof::report
