#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"

namespace splitproof::dialect {

/// Whether a provider can give this answer in one piece, too: it succeeds, each of its calls has an id of its own and one JSON
/// object for arguments, and no part is of a kind that only some protocols know. Notes of a protocol's own are left out.
bool fits_one_piece(const observe::Answer& answer);

/// Those of the token counts that are known, each at its JSON pointer.
nlohmann::json known_counts(const std::vector<std::pair<const char*, std::optional<std::uint64_t>>>& counts);

}  // namespace splitproof::dialect
