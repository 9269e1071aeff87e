#pragma once

#include <chrono>
#include <cstddef>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Returns the maximum number of bytes that a testee may send for an exchange. Each byte of the upstream's
/// body may become an event. An endless answer must not fill the memory.
std::size_t most_of_answer(const Exchange& exchange);

/// Returns the maximum number of bytes of upstream requests for one client request. It allows some
/// repetitions.
std::size_t most_of_calls(std::size_t request_bytes);

/// Returns the sum of the upstream's pauses.
std::chrono::milliseconds time_of_pauses(const Exchange& exchange);

/// Returns the maximum duration of an exchange, even if bytes keep coming. It is a multiple of `silence`,
/// plus the time for the upstream's writes and holds. Without its pauses it never exceeds twenty times `silence`.
std::chrono::milliseconds longest_exchange(const Exchange& exchange, std::chrono::milliseconds silence);

}  // namespace splitproof::testee
