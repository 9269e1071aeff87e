#pragma once

#include <string>

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::report {

/// What a version changed.
struct Difference {
  std::string text;    ///< for people, ending with a line that begins with "splitproof: "
  bool worse = false;  ///< a rule that decides is violated by a recording that did not violate it
};

/// Compares the results that both runs have; an Error where there are none. Where each is of one target, its name may
/// differ. What only one of them has is counted and decides nothing. With `strict`, or where the second run had that, rules of level `should` decide too.
Result<Difference> difference(const results::RunResult& before, const results::RunResult& after, bool strict);

}  // namespace splitproof::report
