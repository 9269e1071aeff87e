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

/// Source of the cases of a deck.
enum class Generator {
  whole,   ///< the body in one read
  bytes,   ///< single bytes
  seams,   ///< a cut at one seam, and at all of a kind
  random,  ///< random cuts, to fill the deck
  recuts,  ///< the text in other events, one event in each read and all in one
  faults,  ///< the upstream broken off or damaged, as with `--faults`
  plan     ///< the defaults of `splitproof run`: splits and recuts
};

std::string_view name(Generator generator);

/// A case of a deck.
struct Dealt {
  const recording::Recording* recording = nullptr;
  campaign::Case one = {};  ///< for any client
};

/// Returns the recordings of one upstream.
std::vector<recording::Recording> recordings_of(const std::vector<recording::Recording>& all,
                                                std::string_view upstream);

/// Returns the corpus's requests of one client, for one upstream.
std::vector<recording::Recording> requests_of(const recording::Corpus& corpus, const std::string& upstream,
                                              const std::string& client);

/// Returns at most `most` cases. Those of each recording are shuffled, and then the recordings give one each in turn.
/// So a few cases cover many recordings and places. For `plan`, those with cuts everywhere come first: single bytes,
/// and an event for each character. Depends only on its arguments; the seed is the one of `splitproof run`.
std::vector<Dealt> deal(const std::vector<recording::Recording>& recordings, Generator generator,
                        std::size_t most);

/// Returns at most `most` cases, from `plan` and `faults` alternately.
std::vector<Dealt> deal_plan_and_faults(const std::vector<recording::Recording>& recordings,
                                        std::size_t most);

}  // namespace splitproof::mutants
