#pragma once

#include <string>

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::cli {

/// Reads what `run --report jsonl:PATH` wrote. An Error for what is no such file, and, unless `partial`, for the report of a run that was
/// broken off.
Result<results::RunResult> read_report(const std::string& path, bool partial);

}  // namespace splitproof::cli
