#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// Parts of an answer's first text, split at the tags that some models put around thinking.
struct ThinkSpan {
  bool opens = false;         ///< The text begins exactly with <think>.
  bool closes = false;        ///< </think> follows.
  std::string_view thinking;  ///< Text between the tags; without a closing tag, all after the first.
  std::string_view rest;      ///< Text after </think>; without an opening tag, the whole text.
  std::size_t undecided = 0;  ///< Last bytes that may still become a tag.

  bool operator==(const ThinkSpan&) const = default;
};

/// Splits `text`, which must begin the answer. A tag anywhere else is text. Linear; reads beyond the first
/// bytes only after an opening tag. The views point into `text`. If you split a longer text again, pass the
/// previous size of `thinking`: no closing tag is searched in it.
ThinkSpan think_span(std::string_view text, std::size_t thinking_before = 0);

/// Splits a text that comes while a span is open, after a call or after reasoning under a key of its own.
ThinkSpan open_think_span(std::string_view text, std::size_t thinking_before = 0);

}  // namespace splitproof::observe
