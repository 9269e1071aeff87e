#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/generator.hpp"
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
  split::PlanSettings splits;
  std::optional<std::size_t>
      recuts;           ///< how many random ones, beside each other kind that there is; none: no recuts
  bool faults = false;  ///< those of the round
  Round round = Round::exact;
};

/// One upstream body that a recording leads to, and the cases in which it is cut.
struct Variation {
  Case as_recorded;                               ///< its case that is cut as the body arrives
  Upstream as_arrived;                            ///< of that case
  std::vector<split::Generator> splits;           ///< that may be tried on it
  std::shared_ptr<const split::Subject> subject;  ///< what these need to know of the body
  std::string only;                               ///< glob that selects among the cases

  /// Makes the selected cases, one at a time; of those with equal cuts the first. Ends when `take` says false, and says
  /// whether it did not.
  bool for_each_case(const std::function<bool(const Case&, split::Cuts)>& take) const;

  /// How many these are.
  std::size_t count() const;
};

/// The variations of a recording of which `only` selects a case, in this order: as it was recorded, with every split of
/// the plan, over HTTP with `gen=withheld` too; each recut, in the pieces of its events and whole; each fault, as the rest
/// of the body had arrived. Of recuts with equal bodies the first. Of the statuses, these faults only. A recording that
/// falls silent is tried over HTTP as it was recorded and whole. Made one at a time, and none that `only` leaves out as
/// far as the label says that; ends when `take` says false. `split::PlanSettings::seed` draws recuts and faults too.
void for_each_variation(const recording::Recording& recording, const std::string& client,
                        const Trials& trials, const std::string& only,
                        const std::function<bool(Variation)>& take);

}  // namespace splitproof::campaign
