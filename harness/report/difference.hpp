#pragma once

#include <string>

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::report {

/// Changes between two versions.
struct Difference {
  std::string text;    ///< For people; the last line begins with "splitproof: ".
  std::string json;    ///< For programs: a line for each change, then one with the verdict.
  bool worse = false;  ///< A recording newly violates a deciding rule.
};

/// Compares the results that both runs have; returns an Error if there are none. If each run has one target,
/// its name may differ. Results of only one run are counted and decide nothing. With `strict`, or if the
/// second run had it, rules of level `should` decide too.
Result<Difference> difference(const results::RunResult& before, const results::RunResult& after, bool strict);

}  // namespace splitproof::report
