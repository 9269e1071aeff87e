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
#include "harness/campaign/case_list.hpp"
#include "harness/campaign/surveyed.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/split.hpp"

namespace splitproof::campaign {

/// Part of a campaign for one testee.
enum class Round : std::uint8_t {
  exact,      ///< Testee with exact timing: faults at every offset.
  over_http,  ///< Testee over HTTP: one held-back case, and faults at event ends.
  statuses    ///< Testee over HTTP, last: error statuses of the upstream.
};

/// A range of ranks in a recording's variations. Cases of lower rank find more. So the shares of all
/// recordings up to some rank should run first.
struct Share {
  std::size_t begin = 0;
  std::size_t end = std::numeric_limits<std::size_t>::max();  ///< One past the last rank.

  bool has(std::size_t rank) const { return begin <= rank && rank < end; }

  bool operator==(const Share&) const = default;
};

/// The most useful cases, about a minute with a proxy. For each recording these are one unbroken read, byte
/// by byte, a held-back case and a recut. With faults, it includes one.
inline constexpr Share kQuick{0, 5};

/// Divides the whole into shares, the most useful first: one unbroken read, the rest of kQuick, then shares
/// that double in size.
std::vector<Share> by_worth(const Share& whole);

/// Trials for every recording.
struct Trials {
  split::PlanSettings splits;
  /// Number of random recuts, besides every other kind; nullopt: no recuts.
  std::optional<std::size_t> recuts;
  bool faults = false;  ///< Faults of the round.
  Round round = Round::exact;
  Share share = {};
  /// Cases to try instead of these; null: none are listed. Error statuses are in the round of statuses, if there is one. All
  /// other cases are in the first share.
  std::shared_ptr<const CaseList> listed = {};
  bool frames = false;    ///< The upstream speaks over WebSocket, so its frames vary too.
  bool has_whole = true;  ///< Clients can ask for an answer in one piece.
};

/// One upstream body of a recording, and its splits.
struct Variation {
  Case as_recorded;                       ///< Case with the original chunks.
  Upstream as_arrived;                    ///< The upstream of that case.
  std::vector<split::Generator> splits;   ///< Candidates for splits.
  std::vector<split::Generator> earlier;  ///< Generators of earlier shares. Equal cuts are not tried again.
  std::shared_ptr<const split::Subject> subject;  ///< Survey of the body.
  std::string only;                               ///< Glob that selects among the cases.

  /// Makes the selected cases, one at a time; of equal cuts only the first. Returns false if `take` ended it.
  bool for_each_case(const std::function<bool(const Case&, split::Cuts)>& take) const;

  /// Counts these cases.
  std::size_t count() const;
};

/// Passes the variations of a recording that are in its share and have a case that `only` selects to `take`.
/// If cases are listed, these are their bodies, each with the splits of its cases. Otherwise their order is:
///
/// - its further turns, if requests of the upstream's protocol can be read;
/// - as recorded, with every split of the plan, over HTTP also with `gen=withheld`;
/// - each recut, event by event and whole; of equal bodies the first;
/// - each style of frames over WebSocket, event by event and byte by byte;
/// - each fault, with the remaining original chunks.
///
/// The round of statuses has only its faults. Over HTTP, a recording that falls silent is tried only as
/// recorded and whole. Makes one variation at a time, and skips labels that `only` excludes. Ends when `take`
/// returns false. `split::PlanSettings::seed` also draws recuts and faults.
///
/// The first ranks are one unbroken read, byte by byte, and held back, with second turns at the last two.
/// Then a recut, a fault and a split follow in turn. Recordings start at different kinds of recuts and
/// faults, so that a low rank covers all kinds.
void for_each_variation(const Surveyed& surveyed, const std::string& client, const Trials& trials,
                        const std::string& only, const std::function<bool(Variation)>& take);

/// Maximum number of ranks and number of cases. Counts recuts that may later be skipped, because they change
/// the meaning.
struct Extent {
  std::size_t ranks = 0;
  std::size_t cases = 0;
};
Extent extent_of(const Surveyed& surveyed, const std::string& client, const Trials& trials,
                 const std::string& only);

}  // namespace splitproof::campaign
