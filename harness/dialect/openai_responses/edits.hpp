#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

/// How drafts are read and changed by more than one table of flaws.
namespace splitproof::dialect::responses_edits {

/// What comes of whatever stands behind the end.
inline constexpr std::string_view kStoppedReading = "a client has stopped reading";

std::size_t item_event(const Draft& draft, std::string_view event, std::string_view item);
bool set_in(Draft& draft, std::string_view type, const std::string& field, std::string_view value);
/// The event that ends the response.
std::size_t end_of(const Draft& draft);
bool set_at_end(Draft& draft, const std::string& field, std::string_view value);

}  // namespace splitproof::dialect::responses_edits
