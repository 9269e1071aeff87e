#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/prove/witness.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::prove {

/// Bodies up to this size are proved. In longer bodies, some windows are checked.
inline constexpr std::size_t kMostProved = std::size_t{8} << 10;
inline constexpr std::size_t kWindow = std::size_t{2} << 10;
inline constexpr std::size_t kWindows = 4;

/// Up to this size, a composed proof is checked with all chunks of the body.
inline constexpr std::size_t kShort = 700;

struct ProofSettings {
  std::size_t cuts = 0;    ///< Try only splits with at most so many cuts; 0: all splits.
  bool composed = true;    ///< Use the parts of a stream. false: feed it all chunks.
  std::uint64_t seed = 0;  ///< Selects windows and samples.
  std::size_t window = kWindow;
  unsigned jobs = 1;  ///< Threads.
};

/// The result for one recording and one testee.
struct Proof {
  enum class Kind : std::uint8_t {
    proved,      ///< All splits, or all with few cuts, give the same output.
    sampled,     ///< The same in some windows of a long body.
    not_proved,  ///< Nothing different was found, but the proof fails.
    refuted,     ///< Two splits give different output.
    left_out,    ///< The testee does not take this recording.
  };

  Kind kind = Kind::proved;
  std::string reason;              ///< Explains `not_proved` and `left_out`.
  std::optional<Witness> witness;  ///< Shows `refuted`.
  std::uint64_t feeds = 0;         ///< Chunks fed to the testee or to a part of it.
  double seconds = 0;              ///< Time of a processor.
};

/// A proof of a campaign.
struct Proven {
  std::size_t testee = 0;     ///< Its index.
  std::size_t recording = 0;  ///< Its index.
  Proof proof;
};

/// Returns the largest number of cuts to try for a testee with these settings; 0: all splits are proved.
std::size_t cuts_to_try(const testee::Testee& testee, const ProofSettings& settings);

/// Proves that the output of each testee does not depend on the split of the recordings that it takes. The shortest
/// recordings come first. Ends after the first refuted recording. `on_proof` is called after each proof, by one thread at
/// a time. Returns the proofs by testee, then by recording.
std::vector<Proven> prove(
    const std::vector<const testee::Testee*>& testees,
    const std::vector<const recording::Recording*>& recordings, const ProofSettings& settings,
    const std::function<void()>& on_proof = [] {});

}  // namespace splitproof::prove
