#pragma once

#include <optional>
#include <string>
#include <utility>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/record/secret_shapes.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::record {

/// Result of judging one recording.
struct GateVerdict {
  bool sound = false;
  bool has_secret = false;  ///< The answer has a secret in pieces over several events, so it was not masked.
  std::string why;          ///< Why it is not sound, in one clause.
};

/// Judges recordings as `check` judges streams. A recording is sound if its response has the status 200, is complete
/// and violates no rule that a proxy must keep.
class Gate {
 public:
  /// `shapes`: secrets that no recording may have; nullopt: recordings may have secrets.
  Gate(const contract::Contracts& contracts, const contract::Profile& profile,
       std::optional<SecretShapes> shapes)
      : contracts_(contracts), profile_(profile), shapes_(std::move(shapes)) {}

  GateVerdict judge(const std::string& path) const;

 private:
  GateVerdict judge(const recording::Recording& recording) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const std::optional<SecretShapes> shapes_;
};

}  // namespace splitproof::record
