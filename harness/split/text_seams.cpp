#include "harness/split/text_seams.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/line_end.hpp"
#include "harness/split/json_seams.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::split {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, kTextSeams> kTextSeamNames = {
    "markup",   "space",       "word",         "halves",      "cluster",   "json-structure",
    "json-key", "json-number", "json-literal", "json-escape", "json-pair",
};

constexpr std::size_t kLongestTag = 64;

bool is_space(char16_t unit) {
  return unit == ' ' || (unit >= '\t' && unit <= '\r') || unit == 0xA0 || unit == 0x3000 ||
         (unit >= 0x2000 && unit <= 0x200A);
}

bool is_letter(char16_t unit) { return (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z'); }

/// Approximates letters and digits without a Unicode table: all units from U+00C0 up to U+1FFF count as
/// letters.
bool is_word(char16_t unit) {
  return is_letter(unit) || (unit >= '0' && unit <= '9') || (unit >= 0xC0 && unit < 0x2000);
}

/// Returns the end of the tag at `text[at]`, after its `>`. Returns `at` if no tag begins here.
std::size_t tag_end(std::u16string_view text, std::size_t at) {
  if (text[at] != '<' || at + 1 == text.size()) return at;
  const char16_t next = text[at + 1];
  if (!is_letter(next) && next != '/' && next != '|' && next != '!' && next != '?') return at;
  const std::size_t past = std::min(text.size(), at + kLongestTag);
  for (std::size_t i = at + 1; i < past && text[i] != '<' && text[i] != '\n'; ++i) {
    if (text[i] == '>') return i + 1;
  }
  return at;
}

/// True if the character at `text[at]` combines with the previous one.
bool joins_left(std::u16string_view text, std::size_t at) {
  const char16_t unit = text[at];
  const auto within = [&](char16_t low, char16_t high) { return unit >= low && unit <= high; };
  if (is_high_surrogate(unit) && at + 1 < text.size()) {
    return unit == 0xD83C && text[at + 1] >= 0xDFFB && text[at + 1] <= 0xDFFF;  // skin tones
  }
  return within(0x0300, 0x036F) || within(0x0591, 0x05BD) || within(0x064B, 0x065F) ||
         within(0x093A, 0x094F) || unit == 0x0E31 || within(0x0E34, 0x0E3A) || within(0x0E47, 0x0E4E) ||
         within(0x1AB0, 0x1AFF) || within(0x1DC0, 0x1DFF) || unit == 0x200D || within(0x20D0, 0x20FF) ||
         within(0xFE00, 0xFE0F) || within(0xFE20, 0xFE2F);
}

constexpr char16_t kJoiner = 0x200D;

template <class Holds>
std::vector<std::size_t> where(std::u16string_view text, Holds holds) {
  std::vector<std::size_t> seams;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (holds(at)) seams.push_back(at);
  }
  return seams;
}

std::vector<std::size_t> inside_tags(std::u16string_view text) {
  std::vector<std::size_t> seams;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = tag_end(text, at);
    for (std::size_t i = at + 1; i < end; ++i) {
      if (begins_character(text, i)) seams.push_back(i);
    }
    at = std::max(end, at + 1);
  }
  return seams;
}

std::vector<std::size_t> inside_words(std::u16string_view text) {
  std::vector<std::size_t> seams;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end - at >= 2) seams.push_back(at + (end - at) / 2);
    at = std::max(end, at + 1);
  }
  return seams;
}

bool is_kind_of(TextSeam kind, SeamKind found) {
  switch (kind) {
    case TextSeam::json_structure:
      return found == SeamKind::structure;
    case TextSeam::json_key:
      return found == SeamKind::key;
    case TextSeam::json_number:
      return found == SeamKind::number;
    case TextSeam::json_literal:
      return found == SeamKind::literal;
    case TextSeam::json_escape:
      return found == SeamKind::escape || found == SeamKind::unicode_escape;
    default:
      return found == SeamKind::between_surrogates;
  }
}

std::vector<std::size_t> in_json(TextSeam kind, std::u16string_view text) {
  const std::string json = narrow(text);
  SeamBoard board(json.size());
  JsonSeams scanner;
  for (std::size_t begin = 0; begin < json.size();) {
    const std::size_t end = find_line_end(json, begin);
    scanner.scan_line(json, begin, end, board);
    begin = end + 1;
  }
  std::vector<bool> wanted(json.size());
  for (const Seam& seam : board.seams()) {
    if (is_kind_of(kind, seam.kind)) wanted[seam.offset] = true;
  }
  std::vector<std::size_t> seams;
  std::size_t byte = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!begins_character(text, at)) continue;
    if (at > 0 && wanted[byte]) seams.push_back(at);
    const bool pair = is_high_surrogate(text[at]);
    byte += pair ? 4 : text[at] < 0x80 ? 1 : text[at] < 0x800 ? 2 : 3;
  }
  return seams;
}

}  // namespace

std::string_view name(TextSeam kind) { return kTextSeamNames[static_cast<std::size_t>(kind)]; }

std::optional<TextSeam> text_seam(std::string_view name) {
  const auto found = std::find(kTextSeamNames.begin(), kTextSeamNames.end(), name);
  if (found == kTextSeamNames.end()) return std::nullopt;
  return static_cast<TextSeam>(found - kTextSeamNames.begin());
}

std::vector<std::size_t> find_text_seams(TextSeam kind, std::u16string_view text) {
  switch (kind) {
    case TextSeam::markup:
      return inside_tags(text);
    case TextSeam::space:
      return where(text, [&](std::size_t at) { return is_space(text[at]) != is_space(text[at - 1]); });
    case TextSeam::word:
      return inside_words(text);
    case TextSeam::halves:
      return where(text, [&](std::size_t at) { return !begins_character(text, at); });
    case TextSeam::cluster:
      return where(text, [&](std::size_t at) {
        return begins_character(text, at) && (joins_left(text, at) || text[at - 1] == kJoiner);
      });
    default:
      return in_json(kind, text);
  }
}

}  // namespace splitproof::split
