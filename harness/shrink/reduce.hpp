#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "harness/shrink/candidate.hpp"

namespace splitproof::shrink {

/// Whether a draft still shows the failure. Of equal drafts it is asked once.
using StillFails = std::function<bool(const Candidate&)>;

/// Where a draft can be made smaller: sets of pieces, each a way to take it apart. Asked again whenever the draft has
/// changed.
using ReductionPass = std::function<std::vector<Pieces>(const Candidate&)>;

/// Drafts that say the same in another way, each to be taken if it still fails. A rewriter must offer nothing once it
/// has been followed, so that the reduction ends.
using Rewriter = std::function<std::vector<Candidate>(const Candidate&)>;

struct Means {
  std::vector<ReductionPass> passes;  ///< in the order in which they are tried
  std::vector<Rewriter> rewriters = {};
  bool cuts = true;  ///< whether cuts may be left out
};

struct Reduced {
  Candidate draft;         ///< the smallest that was found: it fails
  std::size_t tries = 0;   ///< drafts that the predicate was asked about
  bool exhausted = false;  ///< there was no try left: it may not be the smallest
};

/// Makes a failing draft smaller by delta debugging (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing
/// Input, 2002): first its cuts, then the pieces of each pass, again and again until nothing changes.
///
/// Unless the tries were exhausted, the result is minimal: without any one piece of any pass, and without any one of its
/// cuts, it no longer fails. It depends on nothing but the arguments and what the predicate says. The predicate is not
/// asked about `draft` itself.
Reduced reduce(Candidate draft, const Means& means, const StillFails& still_fails, std::size_t most_tries);

}  // namespace splitproof::shrink
