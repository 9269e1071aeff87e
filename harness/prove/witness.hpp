#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "harness/prove/walk.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::prove {

/// The result of an exchange, as its client sees it.
struct Outcome {
  std::string body;
  testee::Ending ending = testee::Ending::complete;
  std::string detail = {};  ///< Reason of the ending. It may name the chunk, so it does not count.

  bool operator==(const Outcome& other) const { return body == other.body && ending == other.ending; }
};

/// Runs a new exchange with the body in these pieces.
using RunSplit = std::function<Outcome(const split::Cuts&)>;

/// Two splits of one body with different outcomes. They differ by one cut.
struct Witness {
  split::Cuts common;   ///< Cuts of both.
  std::size_t cut = 0;  ///< The cut of only the second.
  Outcome without;
  Outcome with;

  /// Returns the cuts of the second split.
  split::Cuts cuts() const;
};

/// Returns a witness for two splits with different outcomes. The second has all cuts of the first. Leaves out cuts as far as
/// possible. nullopt if the outcomes are equal.
std::optional<Witness> witness_between(const RunSplit& run, const split::Cuts& fewer,
                                       const split::Cuts& more);

/// Searches a single cut that changes the outcome of a body of `size` bytes in one piece.
std::optional<Witness> single_cut_witness(const RunSplit& run, std::size_t size);

/// Searches two splits with different outcomes, of a body of `size` bytes. `chunk` makes a difference to a state.
/// nullopt if the search finds none.
std::optional<Witness> find_witness(const RunSplit& run, std::size_t size, Chunk chunk);

}  // namespace splitproof::prove
