#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// The number of the first event of a body whose events are numbered one after the other; none where they are not.
std::optional<std::uint64_t> first_sequence_number(const split::Recut& body);

/// The events numbered one after the other, from `first` on; those without a number stay without one.
split::Recut numbered(const split::Recut& body, std::uint64_t first);

}  // namespace splitproof::dialect
