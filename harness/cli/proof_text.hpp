#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/prove/prove.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// The proofs of one direction, counted.
struct DirectionProofs {
  std::string upstream;
  std::string client;
  std::size_t cuts = 0;  ///< As of cuts_to_try().
  std::map<prove::Proof::Kind, std::size_t> recordings;
  std::uint64_t feeds = 0;
  double seconds = 0;  ///< Time of a processor.

  std::size_t count(prove::Proof::Kind kind) const {
    const auto found = recordings.find(kind);
    return found != recordings.end() ? found->second : 0;
  }

  /// Number of recordings that the testee takes.
  std::size_t all() const;
};

/// Counts the proofs of each testee.
std::vector<DirectionProofs> count_directions(const std::vector<const testee::Testee*>& testees,
                                              const prove::ProofSettings& settings,
                                              const std::vector<prove::Proven>& proven);

/// Returns the table of directions, with a line each.
std::string direction_table(const std::vector<DirectionProofs>& directions);

/// Returns why a recording is refuted, or not proved, and the commands that show it. `options` are those of the
/// commands: " --target mutant:x".
std::string failed_proof_text(const prove::Proof& proof, const recording::Recording& recording,
                              const std::string& client, const std::string& options);

/// Returns the last line.
std::string proof_verdict(const std::vector<DirectionProofs>& directions);

/// Prints the directions and the failed proofs as JSON Lines.
void print_proofs_as_json(const std::vector<DirectionProofs>& directions);
void print_failed_proof_as_json(const prove::Proof& proof, const recording::Recording& recording,
                                const std::string& client);

}  // namespace splitproof::cli
