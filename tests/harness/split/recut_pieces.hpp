#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::split {

/// The data of each event of a body whose data are single lines, with the escape of a lone surrogate replaced by
/// a private character, so that what is JSON by RFC 8259 alone can be parsed.
std::vector<std::string> data_lines(std::string_view body);

/// Whether text that `data_lines` gave holds a lone surrogate. Each has four bytes.
bool holds_surrogate(std::string_view text);

/// The strings under a key of the delta, one an event, none of them empty. For "arguments" those of all calls.
std::vector<std::string> pieces(const std::string& body, const std::string& key);

}  // namespace splitproof::split
