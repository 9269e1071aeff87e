#pragma once

#include <set>
#include <string>

#include "harness/campaign/judgeability.hpp"
#include "harness/contract/judge.hpp"
#include "harness/dialect/client.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/normalised_answer.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// What a testee made of a recording for a client that asked for a stream.
struct StreamedCounterpart {
  observe::NormalisedAnswer side;
  Judgeability judgeability;
  /// Members of its document that are not as the upstream said: other rules tell of them. Or of which it said nothing.
  std::set<std::string> wrong;
  /// What the upstream answers in one piece where no stream is asked for; empty: it streams.
  std::string whole;
};

/// What a client is told otherwise in one piece than it was streamed, one clause; empty where both say the same. Members of
/// their documents that are `left_out` do not count.
std::string difference_of_whole(const dialect::Client& client, const observe::NormalisedAnswer& streamed,
                                const observe::NormalisedAnswer& whole,
                                const std::set<std::string>& left_out = {});

/// The members in which two documents differ (observe/documents.hpp).
std::set<std::string> differing(const observe::Documents& documents);

/// META-01: whether the answer to the same request for one piece says the same, as far as the streamed one is right. Not
/// judged where the testee does not offer that, or asks its upstream for one piece too and that cannot say what was
/// recorded.
contract::Judged judge_whole(const StreamedCounterpart& streamed, const testee::Observation& whole,
                             const Judgeability& judgeability, const testee::Traits& testee,
                             const observe::DataKind& kind);

}  // namespace splitproof::campaign
