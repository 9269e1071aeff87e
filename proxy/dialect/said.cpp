#include "proxy/dialect/said.hpp"

namespace splitproof::proxy::dialect {
namespace {

// Continues an FNV-1a hash.
std::uint64_t extended(std::uint64_t mark, std::string_view text) {
  for (const unsigned char byte : text) mark = (mark ^ byte) * 0x100000001B3U;
  return mark;
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Returns the second half of the four-byte character at the start of `text`; nothing for any other character.
std::string low_half(std::string_view text) {
  if (text.size() < 4 || static_cast<unsigned char>(text[0]) < 0xF0) return {};
  const unsigned low =
      (static_cast<unsigned char>(text[2]) & 0x0FU) << 6U | (static_cast<unsigned char>(text[3]) & 0x3FU);
  std::string half;
  wire::append_code_point(half, 0xDC00U + low);
  return half;
}

}  // namespace

std::uint64_t mark_of(std::string_view text) { return extended(0xCBF29CE484222325U, text); }

void Said::add(std::string_view piece) {
  const std::string text = pairs_.take(std::string(piece));
  size_ += text.size();
  mark_ = extended(mark_, text);
}

bool Said::waits() const {
  std::string half;
  wire::SurrogateJoiner(pairs_).finish(half);
  return !half.empty();
}

std::optional<std::string> Said::rest_of(std::string_view whole) const {
  const std::string text = wire::whole(whole);
  if (text.size() < size_ || mark_of(std::string_view(text).substr(0, size_)) != mark_) return std::nullopt;
  std::string rest = text.substr(size_);
  if (rest.empty() || !waits()) return rest;
  // Only half of a character has come: a lone one, or the first half of the next character.
  if (rest.starts_with(kReplacement)) return rest.substr(kReplacement.size());
  const std::string low = low_half(rest);
  std::string joined;
  wire::SurrogateJoiner(pairs_).feed(low, joined);
  if (low.empty() || !rest.starts_with(joined)) return std::nullopt;
  return low + rest.substr(joined.size());
}

}  // namespace splitproof::proxy::dialect
