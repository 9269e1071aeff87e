#pragma once

#include <vector>

#include "bad_streams.hpp"

namespace splitproof::testee {

/// Returns faults that keep the order of events, and lose, invent, duplicate or delay content.
std::vector<BadStream> bad_meaning();

}  // namespace splitproof::testee
