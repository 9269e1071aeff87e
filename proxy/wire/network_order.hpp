#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof::wire {

/// Returns the number in `size` bytes (at most 8) from `at` on, the most significant byte first. Bytes beyond the end
/// are left out.
inline std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (const char c : bytes.substr(at, size)) number = number << 8U | static_cast<unsigned char>(c);
  return number;
}

/// Appends the lowest `size` bytes of a number, the most significant byte first.
inline void append_number(std::string& out, std::uint64_t number, std::size_t size) {
  for (std::size_t i = size; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xFFU);
}

}  // namespace splitproof::wire
