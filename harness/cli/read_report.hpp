#pragma once

#include <string>

#include "harness/result.hpp"
#include "harness/results/run.hpp"
#include "harness/results/written.hpp"

namespace splitproof::cli {

/// Reads a report of `run --report jsonl:PATH`. Returns an Error for any other file and, unless `partial`,
/// for an interrupted run. Pass the same `shared` for several reports of a run.
Result<results::RunResult> read_report(const std::string& path, bool partial,
                                       results::SharedContext* shared = nullptr);

/// Returns the Error for an interrupted run.
tl::unexpected<Error> unfinished(const std::string& path);

}  // namespace splitproof::cli
