#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/digest.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/dialect/asked_trace.hpp"
#include "harness/observe/answer.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Judges one request by the contracts of its protocol's side `upstream`, beside what its client asked for where the message
/// holds that. One entry for each of their obligations, in their order.
std::vector<contract::Judged> judge_request(const contract::Contracts& contracts,
                                            const contract::Profile& profile,
                                            const dialect::RequestDialect& reader,
                                            const dialect::RequestMessage& message);

/// Whether a rule is one on requests.
bool is_of_requests(const contract::Obligation& obligation);

/// Judges what a testee asks of its upstream for one recording. What it is given must outlive it.
class AskedJudge {
 public:
  /// `answered` is what the upstream said in the turn before, where the recording is one of a second turn; else null.
  AskedJudge(const contract::Contracts& contracts, const contract::Profile& profile,
             const testee::Traits& testee, const recording::Recording& recording,
             std::shared_ptr<const observe::Answer> answered = nullptr)
      : contracts_(contracts),
        profile_(profile),
        testee_(testee),
        recording_(recording),
        answered_(std::move(answered)) {}

  bool is_of_second_turn() const { return answered_ != nullptr; }

  /// One entry for each obligation of the side `upstream` of the testee's upstream, in their order. Of several calls, the first
  /// that violates a rule tells of it; what a relay has from its client is passed on. Calls of other paths
  /// are none of the protocol, and the first that posts violates the rule on paths where there is no other. Where no call was seen,
  /// nothing is judged, with the reason, but that a request is refused as such. Empty for a testee that does not say what it asks.
  std::vector<contract::Judged> judge(const testee::Observation& seen) const;

  /// Whether the testee answered a client's request itself: then that alone is judged, and nothing else occurs.
  bool refuses(const testee::Observation& seen) const;

  /// What of an observation the verdicts depend on.
  static Digest key(const testee::Observation& seen);

 private:
  std::string unseen(const testee::Observation& seen) const;
  void attribute_to_client(std::vector<contract::Judged>& all, const dialect::RequestDialect& reader,
                           const dialect::RequestMessage& message) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const testee::Traits& testee_;
  const recording::Recording& recording_;
  const std::shared_ptr<const observe::Answer> answered_;
};

}  // namespace splitproof::campaign
