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

/// What `run --evidence DIR` writes: a file for each target, recording and round, and when the run has ended its manifest.
class EvidenceFolder {
 public:
  /// Makes the folder. What another run left in it stays, but its manifest goes: until there is a new one, nobody can
  /// take the evidence for that of a whole run. An Error where nothing can be written.
  static Result<void> make(const std::string& folder);

  explicit EvidenceFolder(std::string folder) : folder_(std::move(folder)) {}

  /// Writes what was seen of one recording in one round. From any thread.
  void keep(const evidence::Evidence& seen, campaign::Round round);

  /// Writes the manifest, whole or not at all, with the files that were kept.
  void end(evidence::Manifest manifest);

  /// How many files could not be written. It was said of each.
  std::size_t unwritten() const { return unwritten_; }

 private:
  const std::string folder_;
  std::mutex mutex_;  // guards what follows
  std::vector<evidence::Manifest::File> files_;
  std::size_t unwritten_ = 0;
};

}  // namespace splitproof::cli
