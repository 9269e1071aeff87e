#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/variations.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/manifest.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// Output of `run --evidence DIR`: a file for each target, recording and round, and after the run its
/// manifest.
class EvidenceFolder {
 public:
  /// Makes the folder. Keeps files of another run, but removes its manifest. Until there is a new one, the
  /// evidence cannot be mistaken for a complete run. Returns an Error if the folder is not writable.
  static Result<void> make(const std::string& folder);

  explicit EvidenceFolder(std::string folder) : folder_(std::move(folder)) {}

  /// Writes the evidence of one recording in one round. Thread-safe.
  void keep(const evidence::Evidence& seen, campaign::Round round);

  /// Writes the manifest of the kept files atomically.
  void end(evidence::Manifest manifest);

  /// Number of files that could not be written; each was reported.
  std::size_t unwritten() const { return unwritten_; }

 private:
  const std::string folder_;
  std::mutex mutex_;  // guards the members below
  std::vector<evidence::Manifest::File> files_;
  std::size_t unwritten_ = 0;
};

}  // namespace splitproof::cli
