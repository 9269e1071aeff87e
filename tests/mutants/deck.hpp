#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::mutants {

/// What makes the cases of a deck.
enum class Generator {
  whole,   ///< the body in one read
  bytes,   ///< byte by byte
  seams,   ///< a cut at one seam, and at all of a kind
  random,  ///< random cuts, as many cases as there is room for
  recuts,  ///< the text dealt out over other events, one event a read and all in one
  faults,  ///< the upstream broken off or damaged, as `--faults` has it
  plan     ///< what `splitproof run` tries by default: splits and recuts
};

std::string_view name(Generator generator);

/// A case of a deck.
struct Dealt {
  const recording::Recording* recording = nullptr;
  campaign::Case one = {};  ///< for any client
};

/// The recordings of one upstream.
std::vector<recording::Recording> recordings_of(const std::vector<recording::Recording>& all,
                                                std::string_view upstream);

/// Of the corpus's requests those of one client, as they are asked of one upstream.
std::vector<recording::Recording> requests_of(const recording::Corpus& corpus, const std::string& upstream,
                                              const std::string& client);

/// At most `most` cases: those of each recording are shuffled, and then the recordings give one each in turn, so that a
/// few cases show as many recordings and as many places as a few cases can. Of `plan` those that cut everywhere come
/// first: byte by byte, and an event a character. A pure function of its arguments; the seed is that of `splitproof run`.
std::vector<Dealt> deal(const std::vector<recording::Recording>& recordings, Generator generator,
                        std::size_t most);

/// At most `most` cases, of `plan` and `faults` by turns.
std::vector<Dealt> deal_plan_and_faults(const std::vector<recording::Recording>& recordings,
                                        std::size_t most);

}  // namespace splitproof::mutants
