#pragma once

#include <string>
#include <string_view>

#include "harness/observe/said.hpp"

namespace splitproof::observe {

/// What a text of the assistant is kept as in a history that has calls and results as such: without those that stand
/// in it as markup, without all behind a call that is never closed, and without calls that it tells in brackets. What
/// stands between is a piece each. A whole text is read at once.
TextPieces retained(std::string_view text);

/// What a text holds that would be taken for a call or a result.
struct HeldMarkup {
  bool closed = false;
  bool unclosed = false;  ///< a call that is never closed
  bool prose = false;     ///< something is left beside it

  bool any() const { return closed || unclosed; }
  bool operator==(const HeldMarkup&) const = default;
};
HeldMarkup markup_in(std::string_view text);

}  // namespace splitproof::observe
