#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::split {

/// Returns the data of each event of a body with single data lines. The escape of a lone surrogate becomes a private
/// character, so that strict parsers accept it.
std::vector<std::string> data_lines(std::string_view body);

/// True if text from `data_lines` contains a lone surrogate. Each has four bytes.
bool holds_surrogate(std::string_view text);

/// Returns the non-empty strings under a key of the delta, one for each event. For "arguments", the strings of all
/// calls.
std::vector<std::string> pieces(const std::string& body, const std::string& key);

}  // namespace splitproof::split
