#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/record/features.hpp"

namespace splitproof::record {

/// A recording that may be kept.
struct DistilCandidate {
  std::string path;
  std::size_t bytes = 0;  ///< Size of its body.
  Features features;
};

/// A recording that is kept.
struct KeptRecording {
  std::size_t candidate = 0;      ///< Index.
  std::vector<std::string> adds;  ///< Features that no recording before it has.
};

/// Returns few candidates that together have all features of all candidates. Each step takes the candidate that adds the
/// most, then the smallest. Candidates that later ones made superfluous are left out. The result does not depend on the
/// order of the candidates.
std::vector<KeptRecording> distil(const std::vector<DistilCandidate>& candidates);

}  // namespace splitproof::record
