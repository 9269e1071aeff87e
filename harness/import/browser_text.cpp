#include "harness/import/browser_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/utf8.hpp"

namespace splitproof::imports {
namespace {

/// The characters of the bytes 0x80 to 0x9F.
constexpr std::array<std::uint16_t, 32> kHighControls = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

/// Returns the byte of a character in Windows-1252, or nullopt.
std::optional<char> byte_of(std::uint32_t character) {
  if (character >= 0xA0 && character <= 0xFF) return static_cast<char>(character);
  const auto found = std::find(kHighControls.begin(), kHighControls.end(), character);
  if (found == kHighControls.end()) return std::nullopt;
  return static_cast<char>(0x80 + (found - kHighControls.begin()));
}

}  // namespace

std::optional<std::string> without_windows_1252(std::string_view text) {
  if (find_ill_formed_utf8(text) != text.npos) return std::nullopt;
  std::string bytes;
  bool has_others = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
      bytes += text[at++];
      continue;
    }
    const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t character = lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i)
      character = character << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    const auto byte = byte_of(character);
    if (!byte) return std::nullopt;
    bytes += *byte;
    has_others = true;
    at += size;
  }
  if (!has_others || find_ill_formed_utf8(bytes) != bytes.npos) return std::nullopt;
  return bytes;
}

}  // namespace splitproof::imports
