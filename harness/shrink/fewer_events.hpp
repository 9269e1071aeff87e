#pragma once

#include <vector>

#include "harness/framing.hpp"
#include "harness/shrink/candidate.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::shrink {

/// Returns the same answer in fewer events, once for each suitable recut of the dealer. Cuts keep their
/// distance from the end or from the beginning.
std::vector<Candidate> in_fewer_events(const split::Rechunker& dealer, const Candidate& draft,
                                       Framing framing);

/// Joins two neighbouring events whose JSON does not conflict. Returns one draft for each such pair, last
/// pair first. Cuts keep their distance from the end or from the beginning. The meaning may change.
std::vector<Candidate> with_events_joined(const Candidate& draft, Framing framing);

}  // namespace splitproof::shrink
