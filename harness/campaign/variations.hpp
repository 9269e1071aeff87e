#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/upstream.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/split.hpp"

namespace splitproof::campaign {

/// What is tried on every recording.
struct Trials {
  split::Settings splits;
  std::optional<std::size_t>
      recuts;           ///< how many random ones, beside each other kind that there is; none: no recuts
  bool faults = false;  ///< every fault at every offset
};

/// One upstream body that a recording leads to, and the splits that are tried on it.
struct Variation {
  std::string recut;  ///< label; empty: none
  std::string fault;  ///< label; empty: none
  Upstream as_arrived;
  std::vector<split::Split> splits;
};

/// The variations of a recording, in this order: as it was recorded, with every split of the plan; each recut, in the
/// pieces of its events and whole; each fault, as the rest of the body had arrived. Made one at a time, since there may
/// be many; ends when `take` says false. `split::Settings::seed` draws recuts and faults too.
void for_each_variation(const recording::Recording& recording, const Trials& trials,
                        const std::function<bool(const Variation&)>& take);

}  // namespace splitproof::campaign
