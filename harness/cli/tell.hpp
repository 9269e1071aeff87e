#pragma once

#include "harness/cli/report_files.hpp"
#include "harness/results/run.hpp"

namespace splitproof::cli {

/// Tells what came of a run that is over: writes its reports, prints what the console shows, and returns the exit code.
int tell(const results::RunResult& run, ReportFiles& reports, bool all);

}  // namespace splitproof::cli
