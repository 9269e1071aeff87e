#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// How an answer's first text divides at the tags in which some models think aloud.
struct ThinkSpan {
  bool opens = false;         ///< the text begins with <think>, to the byte
  bool closes = false;        ///< and </think> follows
  std::string_view thinking;  ///< what stands between the tags; without a closing one, all behind the first
  std::string_view rest;      ///< what follows </think>; without an opening tag, the whole text
  std::size_t undecided = 0;  ///< last bytes that may yet turn out to be a tag, if more text follows

  bool operator==(const ThinkSpan&) const = default;
};

/// Divides `text`, which begins the answer: nothing came before it. A tag anywhere else is text. Linear; only an
/// opened span is read beyond its first bytes. The views are into `text`. Who divides a text again that has grown can say
/// how much of `thinking` there was: no closing tag is looked for in it.
ThinkSpan think_span(std::string_view text, std::size_t thinking_before = 0);

/// The same for a text that comes while such a span is open, behind a call or reasoning under a key of its own.
ThinkSpan open_think_span(std::string_view text, std::size_t thinking_before = 0);

}  // namespace splitproof::observe
