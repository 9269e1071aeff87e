#pragma once

#include <vector>

#include "bad_streams.hpp"

namespace splitproof::testee {

/// Faults that leave every event in its order, and lose, invent, double or delay what was said.
std::vector<BadStream> bad_meaning();

}  // namespace splitproof::testee
