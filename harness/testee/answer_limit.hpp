#pragma once

#include <chrono>
#include <cstddef>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// The most bytes that a testee may put out for an exchange: room for each byte of the upstream's body to become an event, and
/// less than what an endless answer needs to fill the memory.
std::size_t most_of_answer(const Exchange& exchange);

/// The most bytes of what a testee asks of its upstream for one request of a client's: room for some repetitions.
std::size_t most_of_calls(std::size_t request_bytes);

/// How long an exchange may take from its request to its end, even if bytes keep coming: some times what silence may take, and
/// what the upstream's writes and holds may take. Never more than twenty times that silence.
std::chrono::milliseconds longest_exchange(const Exchange& exchange, std::chrono::milliseconds silence);

}  // namespace splitproof::testee
