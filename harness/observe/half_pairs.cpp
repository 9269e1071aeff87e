#include "harness/observe/half_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace splitproof::observe {
namespace {

constexpr std::size_t kHalfSize = 3;
constexpr char kLead = '\xED';
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// In UTF-8 no character begins with ED and goes on with A0 or more.
bool half_at(std::string_view text, std::size_t at) {
  return at <= text.size() && text.size() - at >= kHalfSize && text[at] == kLead &&
         byte_at(text, at + 1) >= 0xA0;
}

/// Where the first half at or behind `from` stands; the text's size without one.
std::size_t find_half(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    from = std::min(text.find(kLead, from), text.size());
    if (from == text.size() || half_at(text, from)) break;
    ++from;
  }
  return from;
}

bool is_high(std::string_view half) { return byte_at(half, 1) < 0xB0; }

std::uint32_t ten_bits(std::string_view half) {
  return (byte_at(half, 1) & 0x0F) << 6 | (byte_at(half, 2) & 0x3F);
}

std::string pair(std::string_view high, std::string_view low) {
  const std::uint32_t code = 0x10000 + (ten_bits(high) << 10) + ten_bits(low);
  return {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
          static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
}

}  // namespace

std::string HalfPairs::join(std::string_view piece) {
  if (piece.empty()) return "";
  std::string said;
  if (waiting() && half_at(piece, 0) && !is_high(piece)) {
    said = pair(half_, piece);
    joined_ = true;
    half_.clear();
    piece.remove_prefix(kHalfSize);
  } else {
    said = close();
  }
  if (piece.size() >= kHalfSize && half_at(piece, piece.size() - kHalfSize) &&
      is_high(piece.substr(piece.size() - kHalfSize))) {
    half_ = piece.substr(piece.size() - kHalfSize);
    piece.remove_suffix(kHalfSize);
  }
  const std::string rest = without_halves(piece);
  if (rest != piece) broken_ = true;
  return said += rest;
}

std::string HalfPairs::close() {
  if (!waiting()) return "";
  half_.clear();
  broken_ = true;
  return std::string(kReplacement);
}

std::string without_halves(std::string_view text) {
  std::string whole;
  whole.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t lead = std::min(text.find(kLead, at), text.size());
    whole.append(text, at, lead - at);
    at = lead;
    if (at == text.size()) break;
    const bool half = half_at(text, at);
    whole.append(half ? kReplacement : text.substr(at, 1));
    at += half ? kHalfSize : 1;
  }
  return whole;
}

std::string join_pairs(std::string text) {
  const std::size_t first = find_half(text, 0);
  if (first == text.size()) return text;
  std::string whole = text.substr(0, first);
  for (std::size_t at = first; at < text.size();) {
    const std::string_view half = std::string_view(text).substr(at, kHalfSize);
    const std::size_t behind = at + kHalfSize;
    if (is_high(half) && half_at(text, behind) && !is_high(std::string_view(text).substr(behind))) {
      whole += pair(half, std::string_view(text).substr(behind));
      at = behind + kHalfSize;
    } else {
      whole += half;
      at = behind;
    }
    const std::size_t next = find_half(text, at);
    whole.append(text, at, next - at);
    at = next;
  }
  return whole;
}

std::optional<std::uint16_t> first_half(std::string_view text) {
  const std::size_t at = find_half(text, 0);
  if (at == text.size()) return std::nullopt;
  const std::string_view half = text.substr(at);
  return static_cast<std::uint16_t>((is_high(half) ? 0xD800 : 0xDC00) | ten_bits(half));
}

}  // namespace splitproof::observe
