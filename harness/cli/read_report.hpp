#pragma once

#include <string>

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::cli {

/// Reads a report of `run --report jsonl:PATH`. Returns an Error for any other file and, unless `partial`,
/// for an interrupted run.
Result<results::RunResult> read_report(const std::string& path, bool partial);

/// Returns the Error for an interrupted run.
tl::unexpected<Error> unfinished(const std::string& path);

}  // namespace splitproof::cli
