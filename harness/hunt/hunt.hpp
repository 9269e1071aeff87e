#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/hunt/log.hpp"
#include "harness/hunt/mutator.hpp"
#include "harness/hunt/probe.hpp"
#include "harness/result.hpp"

namespace splitproof::hunt {

/// Number of cases that are made from the same kept cases, so that they can run at the same time.
inline constexpr std::size_t kRound = 16;

/// Settings of a search.
struct HuntSettings {
  std::uint64_t seed = 1;
  bool guided = true;          ///< false: each case is made from a recording, whatever earlier cases reached.
  std::size_t most_cases = 0;  ///< Limit for the whole search, with its earlier parts; 0: no limit.
  /// This search, from 0, of several that differ. Each search takes a part of the first cases.
  std::pair<std::size_t, std::size_t> shard = {0, 1};
  std::vector<campaign::Case> earlier;  ///< Cases of other searches, which run first.
  std::function<bool()> stop;           ///< Called before each case, by any thread.
  std::function<void(std::size_t cases, std::size_t kept)> on_case;  ///< Called after each case.
};

/// Searches for cases that reach something new, and keeps them. First the earlier cases run, then each recording as recorded,
/// whole and byte by byte. Then each case is a change of a case that was kept. Later kept cases are chosen more often, because
/// they are nearer to what is new, and so are those that reached more than another set of violated rules.
///
/// Case number N depends on the seed, on N, and on the cases kept before its round of kRound cases. So the same seed and log
/// give the same cases, if the target is deterministic, whatever the number of probes. A killed search that continues runs the
/// same cases as an undisturbed search.
class Hunt {
 public:
  /// Each probe runs cases in a thread of its own. There must be at least one. The references must outlive it.
  Hunt(const std::vector<CaseProbe*>& probes, const Mutator& mutator, SearchLog& log,
       const HuntSettings& settings);

  /// Runs cases until the limit or `stop`. The Error is one of the probe or the log.
  Result<void> run();

  /// Returns the number of cases of the search so far.
  std::size_t cases() const { return cases_; }

 private:
  campaign::Case make(std::size_t number) const;
  const campaign::Case& choose(std::size_t before, split::SplitMix64& random) const;
  std::vector<Result<Reached>> run_round(const std::vector<campaign::Case>& round);
  Result<void> take(const campaign::Case& one, const Result<Reached>& reached);

  const std::vector<CaseProbe*> probes_;
  const Mutator& mutator_;
  SearchLog& log_;
  const HuntSettings& settings_;
  const std::vector<campaign::Case> first_;  // earlier cases and seeds
  std::set<Feature> known_;
  std::vector<std::size_t> further_;  // indices of kept cases with more than another set of violated rules
  std::size_t cases_;
};

}  // namespace splitproof::hunt
