#pragma once

#include <string>
#include <string_view>

#include "harness/cli/run_command.hpp"

namespace splitproof::cli {

/// Returns the options of a run's trials, as they follow `splitproof run` in a shell: " --splits 0 --faults".
/// Returns "" if all have their defaults.
std::string trial_options(const RunCommand& command);

/// True if `trial_options` can have written `text`. Anybody may have written a manifest of evidence, and its
/// options become part of a command that people paste into a shell.
bool are_trial_options(std::string_view text);

/// Returns a text of `trial_options` without the options that may differ between parts of one run: --only and
/// --jobs.
std::string common_trial_options(std::string_view text);

}  // namespace splitproof::cli
