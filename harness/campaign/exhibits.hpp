#pragma once

#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Returns an exchange and its observation in the form of the evidence file.
evidence::StoredExchange exhibit_of(std::string case_id, const Upstream& upstream,
                                    const testee::Exchange& exchange, const testee::Observation& seen);

/// Returns the upstream that an exhibit recorded for this case.
Upstream upstream_of(const evidence::StoredExchange& exhibit, const Case& one);

/// Returns the event-by-event baseline for an upstream, or an observation with the ending `skipped` if the
/// evidence has none. A baseline is an exhibit without cases. Its upstream must be the same, except for the cuts.
/// An exhibit that also has the same cuts is preferred.
testee::Observation as_arrived(const evidence::Evidence& evidence, const Upstream& upstream);

}  // namespace splitproof::campaign
