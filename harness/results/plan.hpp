#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "harness/result.hpp"

namespace splitproof::results {

/// Everything that decides which cases a campaign has and how it judges them. All shards of a campaign have
/// the same plan.
struct Plan {
  std::string version;    ///< Of splitproof.
  std::string corpus;     ///< Digest of all recordings.
  std::string contracts;  ///< Digest of all contracts.
  std::string profile;    ///< Name and digest.
  std::string options;    ///< Options that change cases or verdicts: " --faults --strict".
  std::uint64_t seed = 0;
  std::size_t shards = 0;                      ///< 0: the report is of no planned run.
  std::map<std::string, std::string> targets;  ///< Digest of the target file, or the version, by target.

  /// Returns the digest of all members.
  std::string digest() const;

  auto operator<=>(const Plan&) const = default;
};

/// Returns an Error that names the first field in which two plans differ, with both values.
Result<void> check_same(const Plan& a, const Plan& b);

}  // namespace splitproof::results
