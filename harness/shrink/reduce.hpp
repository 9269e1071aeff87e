#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "harness/shrink/candidate.hpp"

namespace splitproof::shrink {

/// Returns true if a draft still shows the failure. It is called once for equal drafts.
using StillFails = std::function<bool(const Candidate&)>;

/// Returns sets of removable pieces of a draft. It is called again after each change.
using ReductionPass = std::function<std::vector<Pieces>(const Candidate&)>;

/// Returns equivalent drafts; each is taken if it still fails. After a draft is taken the rewriter must offer
/// nothing, so that the reduction ends.
using Rewriter = std::function<std::vector<Candidate>(const Candidate&)>;

struct Means {
  std::vector<ReductionPass> passes;  ///< in the order of use
  std::vector<Rewriter> rewriters = {};
  bool cuts = true;  ///< cuts may be removed
};

struct Reduced {
  Candidate draft;         ///< the smallest failing draft found
  std::size_t tries = 0;   ///< calls of the predicate
  bool exhausted = false;  ///< no tries were left: it may not be minimal
};

/// Reduces a failing draft by delta debugging (Zeller, Hildebrandt: Simplifying and Isolating
/// Failure-Inducing Input, 2002). Removes cuts, then the pieces of each pass, until nothing changes.
///
/// Unless the tries were exhausted, the result is minimal: it passes without any single piece or cut. It
/// depends only on the arguments and the predicate's results. The predicate is not called with `draft`
/// itself.
Reduced reduce(Candidate draft, const Means& means, const StillFails& still_fails, std::size_t most_tries);

}  // namespace splitproof::shrink
