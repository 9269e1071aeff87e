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

/// Judges one request by the contracts for the side `upstream` of its protocol. Compares it with the client's
/// request if the message contains that. Returns one entry for each obligation, in their order.
std::vector<contract::Judged> judge_request(const contract::Contracts& contracts,
                                            const contract::Profile& profile,
                                            const dialect::RequestDialect& reader,
                                            const dialect::RequestMessage& message);

/// True for a rule about requests.
bool is_of_requests(const contract::Obligation& obligation);

/// Judges the upstream requests of a testee for one recording. All arguments must outlive it.
class AskedJudge {
 public:
  /// `answered` is the upstream's previous answer if this is a second turn; otherwise null.
  AskedJudge(const contract::Contracts& contracts, const contract::Profile& profile,
             const testee::Traits& testee, const recording::Recording& recording,
             std::shared_ptr<const observe::Answer> answered = nullptr)
      : contracts_(contracts),
        profile_(profile),
        testee_(testee),
        recording_(recording),
        answered_(std::move(answered)) {}

  bool is_of_second_turn() const { return answered_ != nullptr; }

  /// The requests of a client under test follow this answer. `unjudged` is why its meaning is open, or "".
  void follows(std::shared_ptr<const observe::Answer> answer, std::string unjudged) {
    answered_ = std::move(answer);
    unjudged_ = std::move(unjudged);
  }

  /// Returns one entry for each obligation of the side `upstream`, in their order. A rule reports the first
  /// call that violates it. Violations of a relay's client are passed on. Calls of other paths do not belong
  /// to the protocol. Without any other call, the first POST violates the rule about paths. Without a call
  /// nothing is judged, with the reason, except that a request is refused. Empty for a testee that does not
  /// report its requests. A client under test is judged if it continues the conversation.
  std::vector<contract::Judged> judge(const testee::Observation& seen) const;

  /// True if the testee refused a client's request itself. Then only the refusal is judged.
  bool refuses(const testee::Observation& seen) const;

  /// Returns a digest of all that the verdicts depend on.
  static Digest key(const testee::Observation& seen);

 private:
  const std::string& client() const;
  std::string unseen(const testee::Observation& seen) const;
  std::vector<contract::Judged> none(contract::Verdict verdict, const std::string& why) const;
  void attribute_to_client(std::vector<contract::Judged>& all, const dialect::RequestDialect& reader,
                           const dialect::RequestMessage& message) const;

  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  const testee::Traits& testee_;
  const recording::Recording& recording_;
  std::shared_ptr<const observe::Answer> answered_;
  std::string unjudged_;
};

}  // namespace splitproof::campaign
