#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/upstream.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/split.hpp"

namespace splitproof::campaign {

/// Which part of a campaign a testee is put through.
enum class Round : std::uint8_t {
  exact,      ///< of a testee that says what was out after which chunk: faults at every offset
  over_http,  ///< of one behind HTTP: held back once, and faults where events end
  statuses    ///< of one behind HTTP, after all else: the upstream's answers with a status of their own
};

/// What is tried on every recording.
struct Trials {
  split::Settings splits;
  std::optional<std::size_t>
      recuts;           ///< how many random ones, beside each other kind that there is; none: no recuts
  bool faults = false;  ///< those of the round
  Round round = Round::exact;
};

/// One upstream body that a recording leads to, and the splits that are tried on it.
struct Variation {
  std::string recut;  ///< label; empty: none
  std::string fault;  ///< label; empty: none
  Upstream as_arrived;
  std::vector<split::Split> splits;
};

/// The variations of a recording, in this order: as it was recorded, with every split of the plan, over HTTP with
/// `gen=withheld` too; each recut, in the pieces of its events and whole; each fault, as the rest of the body had
/// arrived. Of the statuses, these faults only. A recording that falls silent is tried over HTTP as it was recorded and
/// whole. Made one at a time, since there may be many; ends when `take` says
/// false. `split::Settings::seed` draws recuts and faults too.
void for_each_variation(const recording::Recording& recording, const Trials& trials,
                        const std::function<bool(const Variation&)>& take);

}  // namespace splitproof::campaign
