#pragma once

#include <string>
#include <string_view>

namespace splitproof {

/// `bytes` in one line that a terminal can show and XML can hold: line ends and other control characters as escapes
/// (`\n`, `\x00`, `\xC2\x9B`), as are characters that turn the direction of text or end a line of it (U+2028, U+2029), byte order marks, U+FFFE, U+FFFF and bytes that are not valid UTF-8.
std::string visible(std::string_view bytes);

/// The same for each line of several: line feeds stay.
std::string visible_lines(std::string_view text);

}  // namespace splitproof
