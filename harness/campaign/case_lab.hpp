#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "harness/campaign/baselines.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/result.hpp"

namespace splitproof::campaign {

/// Returns the observation for an upstream: from the testee, from a cache, or from evidence.
using Observing = std::function<testee::Observation(const Upstream&, const testee::Exchange&)>;

/// Runs a testee with each upstream of one recording at most once, and caches the observations. An upstream
/// with `withheld` is never cached. Pass it as Observing with std::ref.
class Seen {
 public:
  /// The testee must outlive it.
  explicit Seen(const testee::Testee& testee) : testee_(testee) {}

  testee::Observation operator()(const Upstream& upstream, const testee::Exchange& exchange);

 private:
  const testee::Testee& testee_;
  std::vector<std::pair<Upstream, testee::Observation>> known_;
};

/// A case and its upstream; after the run also the observation and the verdicts.
struct JudgedCase {
  Case one;
  Upstream upstream;
  Upstream as_arrived;  ///< with the recorded cuts
  UpstreamReading reading;
  testee::Observation seen = {};           ///< `unavailable`: nothing is judged
  std::vector<contract::Judged> all = {};  ///< one for each rule, in the order of Judge::judge
};

/// Runs single cases of one recording through one testee, and judges each.
class CaseLab {
 public:
  /// The references must outlive the lab. `answered` and `streamed` are the arguments of Judge.
  CaseLab(const contract::Contracts& contracts, const contract::Profile& profile,
          const testee::Traits& testee, const recording::Recording& recording, Observing observing,
          std::shared_ptr<const observe::Answer> answered = nullptr,
          std::shared_ptr<const StreamedCounterpart> streamed = nullptr);

  const Judge& judge() const { return judge_; }

  /// Reads the upstream of a case. Runs nothing. An Error if the recording has no such case.
  Result<JudgedCase> open(const Case& one) const;

  /// Runs an opened case and judges it.
  void run(JudgedCase& opened);

  Result<JudgedCase> run(const Case& one);

  /// The observation for the recorded body with its recorded cuts.
  const testee::Observation& recorded() { return baselines().recorded(); }

 private:
  const Baselines& baselines();

  const recording::Recording& recording_;
  const Judge judge_;
  const Observing observing_;
  std::unique_ptr<const Baselines> baselines_;  // created on first use
};

}  // namespace splitproof::campaign
