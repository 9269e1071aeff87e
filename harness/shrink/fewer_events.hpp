#pragma once

#include <vector>

#include "harness/framing.hpp"
#include "harness/shrink/draft.hpp"
#include "harness/split/dealer.hpp"

namespace splitproof::shrink {

/// The same answer in fewer events, in each way in which the dealer can deal it out so. Where it is cut is counted from
/// either end.
std::vector<Draft> in_fewer_events(const split::Dealer& dealer, const Draft& draft, Framing framing);

/// Two events that follow each other as one, for each two whose JSON says nothing different at the same place; the last
/// two first. Where it is cut is counted from either end. The answer may be another then.
std::vector<Draft> with_events_joined(const Draft& draft, Framing framing);

}  // namespace splitproof::shrink
