#pragma once

#include <string>

#include "harness/campaign/upstream.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::report {

/// One case in two columns: on the left the upstream chunks with their offsets, on the right, beside the
/// chunk after which they were complete, the downstream events with their numbers.
std::string side_by_side(const std::string& protocol, const results::Upstream& upstream,
                         const testee::Observation& observation, const observe::Trace& trace);

/// The client's request beside each that the upstream got for it, as indented JSON. Of texts that are longer than a few lines,
/// the beginning.
std::string requests_side_by_side(const testee::Observation& observation);

}  // namespace splitproof::report
