#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::evidence {

/// Returns the text from byte `begin` on, as far as a message shows it. `...` replaces what is left out. Characters stay
/// whole.
std::string shown_text(std::string_view text, std::size_t begin = 0);

/// Returns the byte from which both texts are shown, so that their first difference is visible.
std::size_t begin_of_shown(std::string_view a, std::string_view b);

}  // namespace splitproof::evidence
