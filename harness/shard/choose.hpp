#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "harness/result.hpp"

namespace splitproof::shard {

/// The shard of this process.
struct Chosen {
  std::size_t number = 1;  ///< From 1.
  std::size_t count = 1;
  std::string source;       ///< "--shard", or the environment variable with the number.
  std::string status_file;  ///< File that Bazel expects from a program that supports shards; empty: none.

  bool operator==(const Chosen&) const = default;
};

inline constexpr std::size_t kMostShards = 1'000'000;

/// Returns the value of an environment variable; nullopt if it is not set.
using Variable = std::function<std::optional<std::string>(const char* name)>;

/// Returns the shard that `option` ("3/16", from 1) names. If it is empty, returns the shard that the first of
/// these variables name, or nullopt if none is set:
///
/// - SPLITPROOF_SHARD, like the option;
/// - TEST_SHARD_INDEX from 0, and TEST_TOTAL_SHARDS: Bazel;
/// - GTEST_SHARD_INDEX from 0, and GTEST_TOTAL_SHARDS: GoogleTest;
/// - CI_NODE_INDEX from 1, and CI_NODE_TOTAL: GitLab and others;
/// - JOB_COMPLETION_INDEX from 0, and SPLITPROOF_SHARDS: an indexed job of Kubernetes;
/// - SLURM_ARRAY_TASK_ID from 1, and SPLITPROOF_SHARDS: an array job of Slurm, also one with only a few of the tasks;
/// - SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_MIN and SLURM_ARRAY_TASK_COUNT: an array job of Slurm from 0 or 1 without gaps.
///
/// An empty variable counts as not set. The Error names a value that is not a shard, and a missing variable.
Result<std::optional<Chosen>> choose(const std::string& option, const Variable& variable);

}  // namespace splitproof::shard
