#pragma once

#include <string>

#include "harness/campaign/upstream.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::report {

/// One case in two columns: on the left the upstream chunks with their offsets, on the right, beside the
/// chunk after which they were complete, the downstream events with their numbers.
std::string side_by_side(const std::string& protocol, const campaign::Upstream& upstream,
                         const testee::Observation& observation, const observe::Trace& trace);

}  // namespace splitproof::report
