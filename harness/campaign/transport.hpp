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

/// What a client of the upstream itself would have seen: the answer of a testee that passes on every byte.
testee::Observation passed_on(const Upstream& upstream, const recording::Recording& recording);

/// The violation that a testee has from its upstream, whose own stream has it, is no longer its own.
void attribute_to_client_or_upstream(contract::Judged& judged, const contract::Violation& upstreams,
                                     const char* reason);

/// Judges messages, and the calls of the upstream, by the contract `transport`. What it is given must outlive it; the
/// request is the client's, null where it is not known.
class TransportJudge {
 public:
  TransportJudge(const contract::Contracts& contracts, const contract::Profile& profile,
                 const testee::Traits& testee, const recording::Recording& recording,
                 const nlohmann::json* request)
      : contracts_(contracts), profile_(profile), testee_(testee), recording_(recording), request_(request) {}

  /// One entry for each of its obligations, in their order, of a testee that is reached over HTTP; of any other, none.
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
