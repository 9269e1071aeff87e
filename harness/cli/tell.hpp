#pragma once

#include "harness/cli/report_files.hpp"
#include "harness/results/run.hpp"

namespace splitproof::cli {

/// Writes the reports of a finished run, prints the console report, and returns the exit code. With `json` it prints
/// only the verdict, on standard error.
int tell(const results::RunResult& run, ReportFiles& reports, bool all, bool verbose = false,
         bool json = false);

}  // namespace splitproof::cli
