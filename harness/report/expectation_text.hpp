#pragma once

#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/expectation.hpp"

namespace splitproof::report {

/// The text of an expectation file that expects every violation in `results` that decides. It is `before` with its
/// comments, order and globs; one entry for each violation that it does not expect is added at the end, with the
/// beginning of its message, and the whole as the reason. `whole`: the results are those of a whole run, so the entries that did not come
/// true are taken out; else all are kept.
std::string expectation_text(const campaign::ExpectationFile& before,
                             const std::vector<campaign::RecordingResult>& results, bool strict, bool whole);

}  // namespace splitproof::report
