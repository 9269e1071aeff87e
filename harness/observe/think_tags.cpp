#include "harness/observe/think_tags.hpp"

#include <algorithm>

namespace splitproof::observe {
namespace {

constexpr std::string_view kOpen = "<think>";
constexpr std::string_view kClose = "</think>";

/// The length of the longest end of `text` that is a proper beginning of `tag`.
std::size_t begun_at_end(std::string_view text, std::string_view tag) {
  std::size_t length = std::min(text.size(), tag.size() - 1);
  while (text.substr(text.size() - length) != tag.substr(0, length)) --length;
  return length;
}

}  // namespace

ThinkSpan think_span(std::string_view text) {
  ThinkSpan span;
  span.opens = text.substr(0, kOpen.size()) == kOpen;
  if (!span.opens) {
    span.rest = text;
    if (text.size() < kOpen.size() && kOpen.substr(0, text.size()) == text) span.undecided = text.size();
    return span;
  }
  span.thinking = text.substr(kOpen.size());
  const std::size_t end = span.thinking.find(kClose);
  span.closes = end != std::string_view::npos;
  if (!span.closes) {
    span.undecided = begun_at_end(span.thinking, kClose);
    return span;
  }
  span.rest = span.thinking.substr(end + kClose.size());
  span.thinking = span.thinking.substr(0, end);
  return span;
}

}  // namespace splitproof::observe
