#pragma once

#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// What evidence keeps of an exchange and what was seen of it.
evidence::StoredExchange exhibit_of(std::string case_id, const Upstream& upstream,
                                    const testee::Exchange& exchange, const testee::Observation& seen);

/// The upstream of an exhibit of this case.
Upstream upstream_of(const evidence::StoredExchange& exhibit, const Case& one);

/// What was seen of an upstream as its events arrived: the exhibit of no cases of its own with the same body and ending,
/// cut alike where there are several. What was not seen is `skipped`.
testee::Observation as_arrived(const evidence::Evidence& evidence, const Upstream& upstream);

}  // namespace splitproof::campaign
