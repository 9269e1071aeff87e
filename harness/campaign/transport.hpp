#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Returns the answer as a direct client of the upstream would see it.
testee::Observation passed_on(const Upstream& upstream, const recording::Recording& recording);

/// Marks a violation as passed on if the upstream's own stream has it.
void attribute_to_client_or_upstream(contract::Judged& judged, const contract::Violation& upstreams,
                                     const char* reason);

/// Judges messages and upstream calls by the contract `transport`. All arguments must outlive it. `request`
/// is the client's request, or null if unknown.
class TransportJudge {
 public:
  TransportJudge(const contract::Contracts& contracts, const contract::Profile& profile,
                 const testee::Traits& testee, const recording::Recording& recording,
                 const nlohmann::json* request)
      : contracts_(contracts), profile_(profile), testee_(testee), recording_(recording), request_(request) {}

  /// Returns one entry for each obligation, in their order. Empty unless the testee is reached over HTTP.
  std::vector<contract::Judged> judge(const Upstream& upstream, const testee::Observation& observation) const;

 private:
  std::vector<contract::Judged> rules(const Upstream& upstream, const testee::Observation& observation) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const testee::Traits& testee_;
  const recording::Recording& recording_;
  const nlohmann::json* request_;
};

}  // namespace splitproof::campaign
