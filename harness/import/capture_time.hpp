#pragma once

#include <optional>
#include <string_view>

namespace splitproof::imports {

/// Returns the seconds since 1970 of a time such as "2026-09-20T10:00:00.5Z" or "2026-09-20T10:00:00+02:00".
/// Without an offset it is UTC. Returns nullopt for any other text.
std::optional<double> seconds_of_date(std::string_view text);

/// Returns the seconds since midnight of a time such as "10:00:00.123456", or nullopt.
std::optional<double> seconds_of_clock(std::string_view text);

}  // namespace splitproof::imports
