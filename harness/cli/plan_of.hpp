#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/cli/run_command.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/recording.hpp"
#include "harness/report/summary.hpp"
#include "harness/result.hpp"
#include "harness/results/plan.hpp"
#include "harness/shard/choose.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// Returns the shard of this run by its options and the environment; nullopt: it runs everything. Touches the
/// file by which Bazel learns that a program supports shards.
Result<std::optional<shard::Chosen>> chosen_shard(const RunCommand& command);

/// Returns the plan of a run with these started targets. The heading must have contracts, files and seed.
results::Plan plan_of(const RunCommand& command, const report::Heading& heading,
                      const contract::Profile& profile,
                      const std::vector<const recording::Recording*>& recordings,
                      const std::vector<const testee::Testee*>& targets,
                      const std::optional<shard::Chosen>& shard);

}  // namespace splitproof::cli
