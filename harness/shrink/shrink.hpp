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

/// The failure to reduce, and the limits.
struct ShrinkSettings {
  const contract::Contracts* contracts = nullptr;
  const contract::Profile* profile = nullptr;
  std::string rule;  ///< id of the obligation; empty: the first `must` that the case violates
  std::size_t most_tries = kMostTries;  ///< drafts

  /// Further condition for a violation to be the same failure; empty: none.
  std::function<bool(const contract::Judged&)> is_same = {};
  std::function<bool()> stop = {};  ///< called before every draft; true: return the best result so far
};

struct Size {
  std::size_t events = 0;
  std::size_t bytes = 0;
  std::size_t cuts = 0;

  bool operator==(const Size&) const = default;
};

/// The smallest case found.
struct Shrunk {
  recording::Recording recording;     ///< made from the upstream body of the case; its arrivals are the cuts
  campaign::Case one;                 ///< the failing case of this recording
  results::Upstream upstream;         ///< upstream of that case
  campaign::UpstreamReading reading;  ///< reading of that upstream
  testee::Observation seen;           ///< the testee's behaviour
  contract::Judged judged;            ///< the failure
  Size from;                          ///< size of the original case
  Size to;
  std::size_t tries = 0;
  bool exhausted = false;  ///< the tries were exhausted or `stop` ended it: a smaller case may exist
};

/// Returns the smallest case that still shows the failure of `one`, with the fewest bytes and cuts.
///
/// A recut or a fault is applied first, and its result is reduced, unless the rule compares it with the
/// recording. A failure is the same if the same clause is violated at the same field. To exclude other
/// failures, a smaller stream must also meet these conditions:
///
/// - It ends like the original: same finish, closing mark and error, or none.
/// - It has no oddity (`observe::Answer::shapes`) that the original lacks, except common omissions.
/// - It violates no `must` that the original meets.
/// - It does not fail uncut, if the original does not.
///
/// Unless `exhausted`, the result is minimal. Without any event, cut, member or character of text, or with
/// two events joined, a condition fails. The same testee gives the same result. An external testee may vary:
/// a smaller case must fail twice in a row, and the original has two attempts.
///
/// The testee must have been started. Returns an Error if the case does not show the failure or the testee is
/// unavailable.
Result<Shrunk> shrink(const testee::Testee& testee, const recording::Recording& recording,
                      const campaign::Case& one, const ShrinkSettings& settings);

}  // namespace splitproof::shrink
