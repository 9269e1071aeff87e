#pragma once

#include <string_view>

#include "harness/campaign/reading.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/read_answer.hpp"

namespace splitproof::campaign {

/// Returns what a client must report of a stream that keeps the rules of its protocol. If the stream violates one of them,
/// the client may read it in several ways, and `unjudged` names the rule. An answer that the harness itself finds
/// ambiguous is not judged either.
///
/// `reading` is the harness's reading of the stream, and `status` the HTTP status of its response. `whole` is the demand for
/// the complete stream of a `reading` that is broken, and null otherwise.
observe::DemandedAnswer demand_of(const contract::Contracts& contracts, const contract::Profile& profile,
                                  std::string_view protocol, const observe::Choices& choices,
                                  const UpstreamReading& reading, const Upstream& upstream, int status,
                                  const observe::DemandedAnswer* whole);

/// Returns the holds for a client that reports its text while it arrives: after each event with new text.
std::vector<testee::Hold> holds_of(const observe::DemandedAnswer& demanded);

}  // namespace splitproof::campaign
