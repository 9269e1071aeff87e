#pragma once

#include <string>
#include <vector>

#include "harness/results/expectation.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// The text of an expectation file that expects every violation in `results` that decides. It is `before` with its
/// comments, order and globs; one entry for each violation that it does not expect is added at the end, with the
/// beginning of its message, and the whole as the reason. `whole`: the results are those of a whole run, so the entries that did not come
/// true are taken out; else all are kept.
std::string expectation_text(const results::ExpectationFile& before,
                             const std::vector<results::RecordingResult>& results, bool strict, bool whole);

}  // namespace splitproof::report
