#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::report {

/// `bytes` in one line that a terminal can show: line ends and other control characters as escapes (`\n`,
/// `\x00`), bytes that are not valid UTF-8 as `\xNN`.
std::string visible(std::string_view bytes);

/// The bytes around a cut in two lines: what stands before it, `|`, what comes after; and below, under the
/// bar, the offset. At most `width` bytes on each side are shown, with `...` where there are more.
std::string cut_picture(std::string_view body, std::size_t cut, std::size_t width = 28);

}  // namespace splitproof::report
