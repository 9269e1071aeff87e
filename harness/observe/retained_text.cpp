#include "harness/observe/retained_text.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "harness/observe/preamble_words.hpp"

namespace splitproof::observe {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

/// A result's tag may have attributes; a longer word is another tag.
std::size_t find_result(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kResultOpens, from); at != kNowhere; at = text.find(kResultOpens, at + 1)) {
    const std::string_view behind = text.substr(at + kResultOpens.size());
    if (!behind.empty() && (behind[0] == '>' || behind[0] == ' ')) return at;
  }
  return kNowhere;
}

struct MarkedSpan {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one past its last byte
  bool unclosed = false;
};

/// The first span of markup from there on.
std::optional<MarkedSpan> next_span(std::string_view text, std::size_t from) {
  const std::size_t call = text.find(kCallOpens, from);
  std::size_t result = find_result(text, from);
  if (result != kNowhere && text.find(kResultCloses, result) == kNowhere) result = kNowhere;  // it is text
  if (call == kNowhere && result == kNowhere) return std::nullopt;
  if (result < call)
    return MarkedSpan{result, text.find(kResultCloses, result) + kResultCloses.size(), false};
  const std::size_t closes = text.find(kCallCloses, call);
  if (closes == kNowhere) return MarkedSpan{call, text.size(), true};
  return MarkedSpan{call, closes + kCallCloses.size(), false};
}

}  // namespace

Pieces retained(std::string_view text) {
  Pieces pieces;
  const auto add = [&pieces](std::string_view piece) {
    if (!is_blank(piece)) pieces.emplace_back(piece);
  };
  std::size_t at = 0;
  while (const auto span = next_span(text, at)) {
    add(text.substr(at, span->begin - at));
    at = span->end;
  }
  add(text.substr(at));
  return pieces;
}

HeldMarkup markup_in(std::string_view text) {
  HeldMarkup held;
  std::size_t at = 0;
  while (const auto span = next_span(text, at)) {
    (span->unclosed ? held.unclosed : held.closed) = true;
    at = span->end;
  }
  held.prose = !retained(text).empty();
  return held;
}

}  // namespace splitproof::observe
