#pragma once

#include <string>
#include <string_view>

#include "harness/cli/run_command.hpp"

namespace splitproof::cli {

/// Returns the options that choose what a run tries, as they follow `splitproof run` in a shell: " --splits 0 --faults".
/// Empty if all have their usual values.
std::string trial_options(const RunCommand& command);

/// True if `trial_options` can have written `text`. A manifest of evidence is a file that anybody may have written, and
/// its options become part of a command that people paste into a shell.
bool are_trial_options(std::string_view text);

/// Returns what `trial_options` wrote without the options that parts of one run may have each for itself: --only and --jobs.
std::string common_trial_options(std::string_view text);

}  // namespace splitproof::cli
