#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

/// Functions that several tables of flaws use to read and change drafts.
namespace splitproof::dialect::responses_edits {

/// Effect of events after the end.
inline constexpr std::string_view kStoppedReading = "a client has stopped reading";

std::size_t item_event(const Draft& draft, std::string_view event, std::string_view item);
bool set_in(Draft& draft, std::string_view type, const std::string& field, std::string_view value);
/// Returns the event that ends the response.
std::size_t end_of(const Draft& draft);
bool set_at_end(Draft& draft, const std::string& field, std::string_view value);

}  // namespace splitproof::dialect::responses_edits
