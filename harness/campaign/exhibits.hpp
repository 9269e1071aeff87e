#pragma once

#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Returns an exchange and its observation as evidence.
evidence::StoredExchange exhibit_of(std::string case_id, const Upstream& upstream,
                                    const testee::Exchange& exchange, const testee::Observation& seen);

/// Returns the upstream of an exhibit of this case.
Upstream upstream_of(const evidence::StoredExchange& exhibit, const Case& one);

/// Returns the event-by-event baseline for an upstream. It is an exhibit of no cases with the same body and
/// end; of several, the one with the same cuts. Without one the result is `skipped`.
testee::Observation as_arrived(const evidence::Evidence& evidence, const Upstream& upstream);

}  // namespace splitproof::campaign
