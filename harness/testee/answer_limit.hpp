#pragma once

#include <cstddef>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// The most bytes that a testee may put out for an exchange: room for each byte of the upstream's body to become an event, and
/// less than what an endless answer needs to fill the memory.
std::size_t most_of_answer(const Exchange& exchange);

}  // namespace splitproof::testee
