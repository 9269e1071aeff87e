#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::report {

/// Returns the bytes around a cut in two lines. The first has the bytes before it, `|`, and the bytes after
/// it; the second has the offset below the bar. Shows at most `width` bytes on each side, in whole characters
/// except at the cut, with `...` for more.
std::string cut_picture(std::string_view body, std::size_t cut, std::size_t width = 28);

}  // namespace splitproof::report
