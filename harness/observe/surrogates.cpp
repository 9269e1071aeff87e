#include "harness/observe/surrogates.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace splitproof::observe {
namespace {

constexpr std::size_t kSurrogateSize = 3;
constexpr char kLead = '\xED';
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// In UTF-8, no character begins with ED and a second byte of A0 or more.
bool surrogate_at(std::string_view text, std::size_t at) {
  return at <= text.size() && text.size() - at >= kSurrogateSize && text[at] == kLead &&
         byte_at(text, at + 1) >= 0xA0;
}

/// Returns the place of the first surrogate at or after `from`, or the text's size.
std::size_t find_surrogate(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    from = std::min(text.find(kLead, from), text.size());
    if (from == text.size() || surrogate_at(text, from)) break;
    ++from;
  }
  return from;
}

bool is_high(std::string_view surrogate) { return byte_at(surrogate, 1) < 0xB0; }

std::uint32_t ten_bits(std::string_view surrogate) {
  return (byte_at(surrogate, 1) & 0x0F) << 6 | (byte_at(surrogate, 2) & 0x3F);
}

std::string pair(std::string_view high, std::string_view low) {
  const std::uint32_t code = 0x10000 + (ten_bits(high) << 10) + ten_bits(low);
  return {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
          static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
}

}  // namespace

std::string SurrogateJoiner::join(std::string_view piece) {
  if (piece.empty()) return "";
  std::string said;
  if (waiting() && surrogate_at(piece, 0) && !is_high(piece)) {
    said = pair(high_, piece);
    joined_ = true;
    high_.clear();
    piece.remove_prefix(kSurrogateSize);
  } else {
    said = close();
  }
  if (piece.size() >= kSurrogateSize && surrogate_at(piece, piece.size() - kSurrogateSize) &&
      is_high(piece.substr(piece.size() - kSurrogateSize))) {
    high_ = piece.substr(piece.size() - kSurrogateSize);
    piece.remove_suffix(kSurrogateSize);
  }
  const std::string rest = replace_surrogates(piece);
  if (rest != piece) broken_ = true;
  return said += rest;
}

std::string SurrogateJoiner::close() {
  if (!waiting()) return "";
  high_.clear();
  broken_ = true;
  return std::string(kReplacement);
}

bool SurrogateJoiner::goes_on_in(std::string_view text) const {
  if (!waiting() || text.empty() || text.starts_with(kReplacement)) return true;
  // Characters with the same high surrogate differ only in their last ten bits.
  const std::string first = pair(high_, "\xED\xB0\x80");
  const std::string last = pair(high_, "\xED\xBF\xBF");
  const std::string_view character = text.substr(0, first.size());
  return first <= character && character <= last;
}

std::string replace_surrogates(std::string_view text) {
  std::string whole;
  whole.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t lead = std::min(text.find(kLead, at), text.size());
    whole.append(text, at, lead - at);
    at = lead;
    if (at == text.size()) break;
    const bool surrogate = surrogate_at(text, at);
    whole.append(surrogate ? kReplacement : text.substr(at, 1));
    at += surrogate ? kSurrogateSize : 1;
  }
  return whole;
}

std::string join_surrogates(std::string text) {
  const std::size_t first = find_surrogate(text, 0);
  if (first == text.size()) return text;
  std::string whole = text.substr(0, first);
  for (std::size_t at = first; at < text.size();) {
    const std::string_view surrogate = std::string_view(text).substr(at, kSurrogateSize);
    const std::size_t behind = at + kSurrogateSize;
    if (is_high(surrogate) && surrogate_at(text, behind) && !is_high(std::string_view(text).substr(behind))) {
      whole += pair(surrogate, std::string_view(text).substr(behind));
      at = behind + kSurrogateSize;
    } else {
      whole += surrogate;
      at = behind;
    }
    const std::size_t next = find_surrogate(text, at);
    whole.append(text, at, next - at);
    at = next;
  }
  return whole;
}

std::optional<std::uint16_t> first_surrogate(std::string_view text) {
  const std::size_t at = find_surrogate(text, 0);
  if (at == text.size()) return std::nullopt;
  const std::string_view surrogate = text.substr(at);
  return static_cast<std::uint16_t>((is_high(surrogate) ? 0xD800 : 0xDC00) | ten_bits(surrogate));
}

}  // namespace splitproof::observe
