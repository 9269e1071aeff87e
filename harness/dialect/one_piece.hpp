#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"

namespace splitproof::dialect {

/// True if a provider can also send this answer in one piece. Then it succeeds, and each call has a unique id
/// and one JSON object as arguments. No part may be of a kind that only some protocols have. Notes of a
/// single protocol are dropped.
bool fits_one_piece(const observe::Answer& answer);

/// Returns the known token counts, each at its JSON pointer.
nlohmann::json known_counts(const std::vector<std::pair<const char*, std::optional<std::uint64_t>>>& counts);

}  // namespace splitproof::dialect
