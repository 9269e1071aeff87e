#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace splitproof::cause {

/// Returns two values without the text with which both begin and end.
std::pair<std::string_view, std::string_view> parts_that_differ(std::string_view found,
                                                                std::string_view wanted);

/// Names the edit that made `found` from `wanted`, without the text that both share. Two values with the same name were
/// edited by the same code: "blanks removed", "added: [object Object]". Returns "" if content is missing or differs,
/// because many kinds of code do that.
///
///     "ebb"   "ebb "           blanks removed
///     "a  b"  "a b"            blanks added
///     ["a b"]    ["a","b"]     joined by " "
///     ["a","b"]  ["a b"]       parted at " "
///     "x<br>y"   "xy"          added: <br>
std::string edit_of(std::string_view found, std::string_view wanted);

}  // namespace splitproof::cause
