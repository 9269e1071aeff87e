#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::report {

/// Bytes of a line of the console report after which text continues in the next line.
inline constexpr std::size_t kConsoleWidth = 110;

/// Returns "  affects   text", in several lines if the text is long. An empty label continues the item above. The
/// text contains no line feed.
std::string card_item(std::string_view label, std::string_view text);

/// Returns "  affects   first", and each further line below it. Long lines stay as they are.
std::string card_lines(std::string_view label, const std::vector<std::string>& lines);

/// Returns "run        text", with a wider label and without an indent, for the parts around the bugs.
std::string report_item(std::string_view label, std::string_view text);

/// Returns the number of columns that well-formed text takes on a terminal: two for each East Asian character and
/// emoji, none for a combining mark or a joiner, one for each other character.
std::size_t columns_of(std::string_view text);

/// Returns the lines of a text, without their line feeds.
std::vector<std::string> lines_in(std::string_view text);

}  // namespace splitproof::report
