#pragma once

#include <string>
#include <string_view>

namespace splitproof::request {

// How calls and their results are written in text, where the upstream is not given any as such.

inline constexpr std::string_view kCallOpen = "<tool_call>";
inline constexpr std::string_view kCallClose = "</tool_call>";
inline constexpr std::string_view kResultOpen = "<tool_result";  // attributes may follow
inline constexpr std::string_view kResultId = " tool_call_id=\"";
inline constexpr std::string_view kResultClose = "</tool_result>";

/// Whether `text`, which begins with '<', begins a tag of a call or a result, also one that a careless reader would
/// take for it: in upper case, or with blanks behind the bracket. A longer word (`<tool_resultset>`) is none.
bool begins_call_markup(std::string_view text);

/// The text with `instead` for the bracket of each such tag, so that nobody reads one in it.
std::string without_call_markup(std::string_view text, std::string_view instead);

}  // namespace splitproof::request
