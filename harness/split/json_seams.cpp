#include "harness/split/json_seams.hpp"

#include <algorithm>
#include <optional>

namespace splitproof::split {
namespace {

constexpr std::string_view kEscapable = "\"\\/bfnrt";

/// Returns the value of four hex digits at `text[at]`, or nullopt.
std::optional<unsigned> hex4(std::string_view text, std::size_t at) {
  if (text.size() < at + 4) return std::nullopt;
  unsigned value = 0;
  for (const char digit : text.substr(at, 4)) {
    if (digit >= '0' && digit <= '9') {
      value = value * 16 + static_cast<unsigned>(digit - '0');
    } else if (digit >= 'a' && digit <= 'f') {
      value = value * 16 + static_cast<unsigned>(digit - 'a') + 10;
    } else if (digit >= 'A' && digit <= 'F') {
      value = value * 16 + static_cast<unsigned>(digit - 'A') + 10;
    } else {
      return std::nullopt;
    }
  }
  return value;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// Returns the length of the escape at the backslash `text[at]`: 2, 6, or 0 if it is invalid or truncated.
std::size_t escape_length(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return 0;
  if (kEscapable.find(text[at + 1]) != std::string_view::npos) return 2;
  return text[at + 1] == 'u' && hex4(text, at + 2) ? 6 : 0;
}

/// Returns the code unit of an escape `\uXXXX` (or `\\uXXXX`) at `text[at]`, with these backslashes.
std::optional<unsigned> unit_at(std::string_view text, std::size_t at, std::string_view backslashes) {
  if (at > text.size() || !text.substr(at).starts_with(backslashes)) return std::nullopt;
  const std::size_t u = at + backslashes.size();
  if (u >= text.size() || text[u] != 'u') return std::nullopt;
  return hex4(text, u + 1);
}

/// True if a pair of surrogate escapes, each `backslashes` + `uXXXX`, begins at `text[at]`.
bool pair_at(std::string_view text, std::size_t at, std::string_view backslashes) {
  const auto high = unit_at(text, at, backslashes);
  const auto low = unit_at(text, at + backslashes.size() + 5, backslashes);
  return high && low && is_high(*high) && is_low(*low);
}

/// Marks the escape of `length` bytes at `text[at]`.
void mark_escape(std::string_view text, std::size_t at, std::size_t length, SeamBoard& board) {
  if (length == 2) {
    board.mark(SeamKind::escape, at + 1);
    return;
  }
  board.mark_inside(SeamKind::unicode_escape, at, at + length);
  if (pair_at(text, at, "\\")) {
    board.mark_inside(SeamKind::surrogate_escape, at, at + 6);
    board.mark(SeamKind::between_surrogates, at + 6);
    board.mark_inside(SeamKind::surrogate_escape, at + 6, at + 12);
  }
}

/// Marks an escape of the inner text whose backslash is the `\\` at `text[at]`. Returns its length in outer
/// bytes, or 2 for the backslash alone if no escape follows.
///
///   outer bytes   \\n    \\\"    \\\\    \\u00e9
///   inner text    \n     \"      \\      \u00e9
std::size_t mark_inner_escape(std::string_view text, std::size_t at, SeamBoard& board) {
  const std::size_t next = at + 2;
  if (next >= text.size()) return 2;
  if (unit_at(text, at, "\\\\")) {
    board.mark_inside(SeamKind::inner_unicode_escape, at, at + 7);
    if (pair_at(text, at, "\\\\")) board.mark(SeamKind::between_inner_surrogates, at + 7);
    return 7;
  }
  std::size_t length = 2;
  if (text[next] == '\\') {
    const bool inner_escapes_it =
        next + 1 < text.size() && std::string_view("\"\\/").find(text[next + 1]) != std::string_view::npos;
    if (inner_escapes_it) length = 4;
  } else if (std::string_view("/bfnrt").find(text[next]) != std::string_view::npos) {
    length = 3;
  }
  if (length > 2) board.mark_inside(SeamKind::inner_escape, at, at + length);
  return length;
}

/// Marks the string with the opening quote `text[at]`. Returns the offset after the closing quote, or nullopt
/// if the string is broken or the line ends first.
std::optional<std::size_t> mark_string(std::string_view text, std::size_t at, bool key, SeamBoard& board) {
  const SeamKind kind = key ? SeamKind::key : SeamKind::string;
  std::size_t inner_from = at + 1;  // earlier escapes belong to an inner escape that is marked
  for (std::size_t i = at + 1; i < text.size();) {
    board.mark(kind, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"') return i + 1;
    if (byte < 0x20) return std::nullopt;
    if (byte != '\\') {
      ++i;
      continue;
    }
    const std::size_t length = escape_length(text, i);
    if (length == 0) return std::nullopt;
    board.mark_inside(kind, i, i + length);
    mark_escape(text, i, length, board);
    if (!key && i >= inner_from && text[i + 1] == '\\') inner_from = i + mark_inner_escape(text, i, board);
    i += length;
  }
  return std::nullopt;
}

/// Returns the end of the number at `text[at]`.
std::size_t number_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789+-.eE", at), text.size());
}

/// Returns the length of the literal at `text[at]`, or 0.
std::size_t literal_length(std::string_view text, std::size_t at) {
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text.substr(at).starts_with(word)) return word.size();
  }
  return 0;
}

}  // namespace

void JsonSeams::scan_line(std::string_view body, std::size_t begin, std::size_t end, SeamBoard& board) {
  const std::string_view text = body.substr(0, end);
  for (std::size_t at = begin; at < end && !broken_;) {
    const char byte = text[at];
    switch (byte) {
      case ' ':
      case '\t':
      case '\r':  // in JSON lines; an SSE line ends there
        ++at;
        continue;
      case '{':
      case '[':
        in_object_.push_back(byte == '{');
        key_next_ = byte == '{';
        break;
      case '}':
      case ']':
        if (!in_object_.empty()) in_object_.pop_back();
        key_next_ = false;
        break;
      case ',':
        key_next_ = !in_object_.empty() && in_object_.back();
        break;
      case ':':
        key_next_ = false;
        break;
      case '"': {
        const auto past = mark_string(text, at, key_next_, board);
        broken_ = !past;
        at = past.value_or(end);
        continue;
      }
      default:
        if (byte == '-' || (byte >= '0' && byte <= '9')) {
          const std::size_t past = number_end(text, at);
          board.mark_inside(SeamKind::number, at, past);
          at = past;
        } else {
          const std::size_t length = literal_length(text, at);
          board.mark_inside(SeamKind::literal, at, at + length);
          broken_ = length == 0;
          at += length;
        }
        continue;
    }
    if (at > begin) board.mark(SeamKind::structure, at);
    if (at + 1 < end) board.mark(SeamKind::structure, at + 1);
    ++at;
  }
}

}  // namespace splitproof::split
