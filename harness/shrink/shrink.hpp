#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::shrink {

inline constexpr std::size_t kMostTries = 2000;

/// What is looked for, and how long.
struct ShrinkSettings {
  const contract::Contracts* contracts = nullptr;
  const contract::Profile* profile = nullptr;
  std::string rule;  ///< id of the obligation; empty: the first `must` that the case violates
  std::size_t most_tries = kMostTries;  ///< drafts that are tried

  /// What more a violation of that rule must have to be the same failure; empty: nothing.
  std::function<bool(const contract::Judged&)> is_same = {};
  std::function<bool()> stop =
      {};  ///< asked before every draft; once it says true, what was found so far is the result
};

struct Size {
  std::size_t events = 0;
  std::size_t bytes = 0;
  std::size_t cuts = 0;

  bool operator==(const Size&) const = default;
};

/// The smallest case that was found.
struct Shrunk {
  recording::Recording recording;  ///< made of what the upstream of the case sent; its arrivals are the cuts
  campaign::Case one;              ///< of this recording; it shows the failure
  results::Upstream upstream;      ///< of that case
  campaign::UpstreamReading reading;  ///< of that upstream
  testee::Observation seen;           ///< what the testee made of it
  contract::Judged judged;            ///< the failure
  Size from;                          ///< of the case as it was given
  Size to;
  std::size_t tries = 0;
  bool exhausted =
      false;  ///< the tries did not suffice, or `stop` ended it: a smaller case may show the failure
};

/// The smallest case that still shows the failure of `one`, in its recording and in its cuts.
///
/// A recut or a fault is carried out first: what the upstream sent then is what is made smaller, unless the failure is
/// one of comparing it with the recording. The failure is the same where the same clause of the obligation is violated at
/// the same field. So that it is not mistaken for another, a smaller stream must also
///
///   - end as the case's did: with its finish, its closing mark, its error, or what is missing of these;
///   - have no oddity (`observe::Answer::shapes`) that the case's does not have, except for what most streams lack;
///   - violate no `must` that the case does not violate;
///   - show nothing of the failure in one piece, if the case does not.
///
/// Unless `exhausted`, no event, no cut, no member and no character of its text can be left out of the result, and no two
/// events that follow each other can be joined, without that one of these no longer holds. The same testee gives the same
/// result. One outside this process may answer otherwise each time: a smaller case counts once it has shown the failure
/// twice in a row, and the case itself has two attempts to show it.
///
/// The testee must have been started. An Error says why there is nothing to make smaller: the case shows no such
/// failure, or its testee is not available any more.
Result<Shrunk> shrink(const testee::Testee& testee, const recording::Recording& recording,
                      const campaign::Case& one, const ShrinkSettings& settings);

}  // namespace splitproof::shrink
