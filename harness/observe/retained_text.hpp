#pragma once

#include <string>
#include <string_view>

#include "harness/observe/said.hpp"

namespace splitproof::observe {

/// Returns the pieces of an assistant's text that a history with calls and results keeps. Removes calls and
/// results in markup, everything after an unclosed call, and calls in brackets. Reads whole texts.
TextPieces retained(std::string_view text);

/// Markup in a text that resembles a call or a result.
struct HeldMarkup {
  bool closed = false;
  bool unclosed = false;  ///< An unclosed call.
  bool prose = false;     ///< Other text remains.

  bool any() const { return closed || unclosed; }
  bool operator==(const HeldMarkup&) const = default;
};
HeldMarkup markup_in(std::string_view text);

}  // namespace splitproof::observe
