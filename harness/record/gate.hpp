#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/record/secret_shapes.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::record {

/// Result of judging one recording.
struct GateVerdict {
  bool sound = false;
  bool may_stay = true;  ///< False if the file cannot be read, or has a secret that was not masked.
  std::string why;       ///< Why it is not sound, in one clause.
};

/// Judges recordings as `check` judges streams. A recording is sound if its response has the status 200, is complete
/// and violates no rule that a proxy must keep.
class Gate {
 public:
  /// `shapes`: secrets that no recording may have; nullopt: recordings may have secrets.
  Gate(const contract::Contracts& contracts, const contract::Profile& profile,
       std::optional<SecretShapes> shapes)
      : contracts_(contracts), profile_(profile), shapes_(std::move(shapes)) {}

  /// `known`: secrets that have no shape of their own.
  GateVerdict judge(const std::string& path, const std::vector<std::string>& known) const;

 private:
  GateVerdict judge(const recording::Recording& recording) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const std::optional<SecretShapes> shapes_;
};

}  // namespace splitproof::record
