#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the first event's number if all events of a body are numbered in sequence, otherwise nullopt.
std::optional<std::uint64_t> first_sequence_number(const split::Recut& body);

/// Returns the events numbered in sequence from `first`. Events without a number stay so.
split::Recut numbered(const split::Recut& body, std::uint64_t first);

}  // namespace splitproof::dialect
