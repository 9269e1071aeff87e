#include "harness/observe/think_tags.hpp"

#include <algorithm>

#include "harness/observe/partial_suffix_match.hpp"

namespace splitproof::observe {
namespace {

constexpr std::string_view kOpen = "<think>";
constexpr std::string_view kClose = "</think>";

}  // namespace

ThinkSpan think_span(std::string_view text, std::size_t thinking_before) {
  ThinkSpan span;
  if (text.substr(0, kOpen.size()) != kOpen) {
    span.rest = text;
    if (text.size() < kOpen.size() && kOpen.substr(0, text.size()) == text) span.undecided = text.size();
    return span;
  }
  return open_think_span(text.substr(kOpen.size()), thinking_before);
}

ThinkSpan open_think_span(std::string_view text, std::size_t thinking_before) {
  ThinkSpan span;
  span.opens = true;
  span.thinking = text;
  // The tag may have begun at the end of the previous text.
  const std::size_t end = text.find(kClose, thinking_before - std::min(thinking_before, kClose.size() - 1));
  span.closes = end != std::string_view::npos;
  if (!span.closes) {
    span.undecided = partial_suffix_match(text, kClose);
    return span;
  }
  span.thinking = text.substr(0, end);
  span.rest = text.substr(end + kClose.size());
  return span;
}

}  // namespace splitproof::observe
