#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::report {

/// The bytes around a cut in two lines: what stands before it, `|`, what comes after; and below, under the bar, the
/// offset. At most `width` bytes on each side are shown, and no part of a character that the
/// cut does not go through; with `...` where there are more.
std::string cut_picture(std::string_view body, std::size_t cut, std::size_t width = 28);

}  // namespace splitproof::report
