#pragma once

#include <string>

#include "harness/campaign/upstream.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::report {

/// Returns one case in two columns: upstream chunks with offsets on the left, downstream events with numbers
/// on the right. An event is next to the chunk after which it was complete.
std::string side_by_side(const std::string& protocol, const results::Upstream& upstream,
                         const testee::Observation& observation, const observe::Trace& trace);

/// Returns the client's request next to each upstream request for it, as indented JSON. Shortens long texts.
std::string requests_side_by_side(const testee::Observation& observation);

}  // namespace splitproof::report
