#include "harness/observe/retained_text.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "harness/observe/preamble_words.hpp"

namespace splitproof::observe {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

/// The tag of a result may have attributes. A longer word is another tag.
std::size_t find_result(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kResultOpens, from); at != kNowhere; at = text.find(kResultOpens, at + 1)) {
    const std::string_view behind = text.substr(at + kResultOpens.size());
    if (!behind.empty() && (behind[0] == '>' || behind[0] == ' ')) return at;
  }
  return kNowhere;
}

struct MarkedSpan {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< One past its last byte.
  bool unclosed = false;
};

/// Returns the first markup at or after `from`.
std::optional<MarkedSpan> next_markup(std::string_view text, std::size_t from) {
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

/// Returns the first call in brackets at or after `from`. It ends at the last bracket of its line, or at the
/// line's end.
std::optional<MarkedSpan> next_narration(std::string_view text, std::size_t from) {
  const std::size_t begin = text.find(kNarratedCall, from);
  if (begin == kNowhere) return std::nullopt;
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  const std::size_t closes = text.substr(begin, line_end - begin).rfind(']');
  return MarkedSpan{begin, closes == kNowhere ? line_end : begin + closes + 1, false};
}

using NextSpan = std::optional<MarkedSpan> (*)(std::string_view text, std::size_t from);

TextPieces outside(NextSpan next, std::string_view text) {
  TextPieces pieces;
  std::size_t at = 0;
  while (const auto span = next(text, at)) {
    pieces.emplace_back(text.substr(at, span->begin - at));
    at = span->end;
  }
  pieces.emplace_back(text.substr(at));
  return pieces;
}

/// Calls in brackets are searched in the text without markup.
std::string without_markup(std::string_view text) {
  std::string prose;
  for (const std::string& piece : outside(next_markup, text)) prose += piece;
  return prose;
}

}  // namespace

TextPieces retained(std::string_view text) {
  const std::string prose = without_markup(text);
  TextPieces pieces = next_narration(prose, 0) ? outside(next_narration, prose) : outside(next_markup, text);
  std::erase_if(pieces, [](const std::string& piece) { return is_blank(piece); });
  return pieces;
}

HeldMarkup markup_in(std::string_view text) {
  HeldMarkup held;
  std::size_t at = 0;
  while (const auto span = next_markup(text, at)) {
    (span->unclosed ? held.unclosed : held.closed) = true;
    at = span->end;
  }
  held.closed = held.closed || next_narration(without_markup(text), 0);
  held.prose = !retained(text).empty();
  return held;
}

}  // namespace splitproof::observe
