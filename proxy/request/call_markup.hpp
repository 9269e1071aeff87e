#pragma once

#include <string>
#include <string_view>

namespace splitproof::request {

// Markup for calls and results in text, if the upstream gets none as such.

inline constexpr std::string_view kCallOpen = "<tool_call>";
inline constexpr std::string_view kCallClose = "</tool_call>";
inline constexpr std::string_view kResultOpen = "<tool_result";  // attributes may follow
inline constexpr std::string_view kResultId = " tool_call_id=\"";
inline constexpr std::string_view kResultClose = "</tool_result>";

/// True if `text`, which begins with '<', begins a tag of a call or result. Also true for variants that a tolerant
/// reader accepts: upper case, or blanks after the bracket. False for a longer word (`<tool_resultset>`).
bool begins_call_markup(std::string_view text);

/// Returns the text with `instead` for the bracket of each such tag, so that no reader finds one.
std::string without_call_markup(std::string_view text, std::string_view instead);

}  // namespace splitproof::request
