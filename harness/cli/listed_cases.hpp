#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/campaign/case_list.hpp"
#include "harness/cli/run_command.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/result.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// Divides the value of --cases into a number and the path of a list. The Error names a number that is too large.
Result<void> take_cases(RunCommand& run);

/// Reads the list of cases of a command; null if it has none. The Error names an option that has no effect on a list, or the
/// line of a wrong id.
Result<std::shared_ptr<const campaign::CaseList>> load_listed_cases(const RunCommand& command);

/// Checks that the recordings have these cases. `corpus` has the recordings that --only selects; the list may name others.
Result<void> check_listed_cases(const campaign::CaseList& listed, const Selection& selection,
                                const recording::Corpus& corpus);

/// Returns a line about the listed cases of selected recordings that no target takes, or "".
std::string other_directions(const campaign::CaseList& listed, const std::string& file,
                             const recording::Corpus& corpus,
                             const std::vector<std::unique_ptr<testee::Testee>>& targets);

}  // namespace splitproof::cli
