#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/record/distil.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// Chooses the recordings that differ from each other, for `record --distil` and `import --distil`.
class Distiller {
 public:
  /// Loads the contracts and the default profile. The Error names the broken file.
  static Result<Distiller> make();

  /// Adds a recording, known by the path that it has or will have.
  void add(const std::string& path, const recording::Recording& recording);

  bool empty() const { return candidates_.empty(); }

  /// Returns few recordings that together have all features of all.
  std::vector<record::KeptRecording> choose() const { return record::distil(candidates_); }

  const std::string& path_of(const record::KeptRecording& kept) const {
    return candidates_[kept.candidate].path;
  }

  /// Returns "kept 3 of 40 recordings, with all 210 features".
  std::string total_of(const std::vector<record::KeptRecording>& kept) const;

 private:
  Distiller(contract::Contracts contracts, contract::Profile profile)
      : contracts_(std::move(contracts)), profile_(std::move(profile)) {}

  contract::Contracts contracts_;
  contract::Profile profile_;
  std::vector<record::DistilCandidate> candidates_;
};

/// Returns "adds rule ANT-05, seam utf8-2, part call and 4 more": what no recording before it has.
std::string features_added_by(const record::KeptRecording& kept);

}  // namespace splitproof::cli
