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
  return text.size() - at >= kHalfSize && text[at] == kLead && byte_at(text, at + 1) >= 0xA0;
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

}  // namespace splitproof::observe
