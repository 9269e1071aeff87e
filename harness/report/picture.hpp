#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::report {

/// `bytes` in one line that a terminal can show and XML can hold: line ends and other control characters as escapes
/// (`\n`, `\x00`, `\xC2\x9B`), as are characters that turn the direction of text, U+FFFE, U+FFFF and bytes that are not valid UTF-8.
std::string visible(std::string_view bytes);

/// The same for each line of several: line feeds stay.
std::string visible_lines(std::string_view text);

/// The bytes around a cut in two lines: what stands before it, `|`, what comes after; and below, under the bar, the
/// offset. At most `width` bytes on each side are shown, and no part of a character that the
/// cut does not go through; with `...` where there are more.
std::string cut_picture(std::string_view body, std::size_t cut, std::size_t width = 28);

}  // namespace splitproof::report
