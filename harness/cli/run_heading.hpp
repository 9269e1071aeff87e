#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/evidence/manifest.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/run_details.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// Adds to the heading of a run what is known of its targets after the cases: failures, notes, unclaimed
/// recordings.
void add_targets(report::Heading& heading, const std::vector<campaign::TargetResult>& targets,
                 const std::vector<std::unique_ptr<testee::Testee>>& made);

/// Adds the throughput of each target.
void add_paces(report::Heading& heading, const campaign::Results& run,
               const std::vector<const testee::Testee*>& targets, double idle_processors);

/// Measures how the cost of targets grows. Runs after all cases, because a target may fail under it and need a
/// restart.
void add_growth(report::Heading& heading, const std::vector<const testee::Testee*>& targets,
                const std::function<bool()>& stop);

/// Returns the details of a run that lasts until now. `command` is its command line; empty: not known.
results::RunDetails details_of(const std::string& command, std::chrono::steady_clock::time_point began,
                               const std::vector<const testee::Testee*>& targets);

/// Returns the content of the evidence folder besides the evidence.
evidence::Manifest manifest_of(const report::Heading& heading);

/// Reports targets that failed, on standard error.
void complain_of(const std::vector<campaign::TargetResult>& targets);

}  // namespace splitproof::cli
