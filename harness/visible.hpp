#pragma once

#include <string>
#include <string_view>

namespace splitproof {

/// Returns `bytes` in one line for terminals and XML. Escapes line ends and other control characters (`\n`,
/// `\x00`, `\xC2\x9B`), characters that change the text's direction or end a line (U+2028, U+2029), byte
/// order marks, U+FFFE, U+FFFF and invalid UTF-8.
std::string visible(std::string_view bytes);

/// Does the same for each line of several: line feeds stay.
std::string visible_lines(std::string_view text);

}  // namespace splitproof
