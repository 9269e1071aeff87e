#pragma once

#include <vector>

#include "harness/framing.hpp"
#include "harness/shrink/candidate.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::shrink {

/// The same answer in fewer events, in each way in which the dealer can deal it out so. Where it is cut is counted from
/// either end.
std::vector<Candidate> in_fewer_events(const split::Rechunker& dealer, const Candidate& draft,
                                       Framing framing);

/// Two events that follow each other as one, for each two whose JSON says nothing different at the same place; the last
/// two first. Where it is cut is counted from either end. The answer may be another then.
std::vector<Candidate> with_events_joined(const Candidate& draft, Framing framing);

}  // namespace splitproof::shrink
