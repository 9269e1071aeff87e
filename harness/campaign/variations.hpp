#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/campaign/surveyed.hpp"
#include "harness/campaign/upstream.hpp"
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

/// A part of a recording's variations. Each has a rank: the lower, the more such cases find. So the shares of all
/// recordings up to some rank are what is worth trying first.
struct Share {
  std::size_t begin = 0;
  std::size_t end = std::numeric_limits<std::size_t>::max();  ///< the first rank behind it

  bool has(std::size_t rank) const { return begin <= rank && rank < end; }

  bool operator==(const Share&) const = default;
};

/// What finds most, in about a minute with a proxy: of each recording one unbroken read, byte by byte, held back where that
/// can be, a recut, and a fault where faults are tried.
inline constexpr Share kQuick{0, 5};

/// All of it in shares, what finds most first: one unbroken read, then the rest of kQuick, then shares of which each is about
/// twice as large as the one before.
std::vector<Share> by_worth(const Share& whole);

/// What is tried on every recording.
struct Trials {
  split::PlanSettings splits;
  std::optional<std::size_t>
      recuts;           ///< how many random ones, beside each other kind that there is; none: no recuts
  bool faults = false;  ///< those of the round
  Round round = Round::exact;
  Share share = {};
};

/// One upstream body that a recording leads to, and the cases in which it is cut.
struct Variation {
  Case as_recorded;                               ///< its case that is cut as the body arrives
  Upstream as_arrived;                            ///< of that case
  std::vector<split::Generator> splits;           ///< that may be tried on it
  std::vector<split::Generator> earlier;          ///< of shares before: what cuts alike is not tried again
  std::shared_ptr<const split::Subject> subject;  ///< what these need to know of the body
  std::string only;                               ///< glob that selects among the cases

  /// Makes the selected cases, one at a time; of those with equal cuts the first. Ends when `take` says false, and says
  /// whether it did not.
  bool for_each_case(const std::function<bool(const Case&, split::Cuts)>& take) const;

  /// How many these are.
  std::size_t count() const;
};

/// The variations of a recording of which `only` selects a case, and that are in its share, in this order: as it was recorded, with every split of
/// the plan, over HTTP with `gen=withheld` too; its second turns, where requests of the upstream's protocol can be read; each recut, in the pieces of its events and whole; each fault, as the rest
/// of the body had arrived. Of recuts with equal bodies the first. Of the statuses, these faults only. A recording that
/// falls silent is tried over HTTP as it was recorded and whole. Made one at a time, and none that `only` leaves out as
/// far as the label says that; ends when `take` says false. `split::PlanSettings::seed` draws recuts and faults too.
///
/// Ranks go round: one unbroken read, byte by byte, held back, and the second turns beside the latter two; then a recut, a fault and another split in turn. Recordings
/// begin at different kinds of recuts and faults, so that a low rank has all kinds, each of some recordings.
void for_each_variation(const Surveyed& surveyed, const std::string& client, const Trials& trials,
                        const std::string& only, const std::function<bool(Variation)>& take);

/// How many ranks they may take up, and how many cases they are: a recut that would turn out to say something else is counted.
struct Extent {
  std::size_t ranks = 0;
  std::size_t cases = 0;
};
Extent extent_of(const Surveyed& surveyed, const std::string& client, const Trials& trials,
                 const std::string& only);

}  // namespace splitproof::campaign
