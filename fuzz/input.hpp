#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace splitproof::fuzz {

/// A fuzzer's input: a body, and two cuts that its first four bytes choose.
struct CutInput {
  std::string_view body;
  std::size_t first = 0;  ///< first <= second <= body.size()
  std::size_t second = 0;

  /// Returns the body in up to three pieces.
  std::vector<std::string_view> pieces() const {
    return {body.substr(0, first), body.substr(first, second - first), body.substr(second)};
  }
};

inline CutInput cut_input(const std::uint8_t* data, std::size_t size) {
  CutInput input;
  if (size < 4) return input;
  input.body = {reinterpret_cast<const char*>(data) + 4, size - 4};
  std::uint16_t cuts[2];
  std::memcpy(cuts, data, 4);
  input.first = cuts[0] % (input.body.size() + 1);
  input.second = cuts[1] % (input.body.size() + 1);
  if (input.first > input.second) std::swap(input.first, input.second);
  return input;
}

/// Passes `piece` in an allocation of its own size, so that AddressSanitizer detects a read beyond it.
template <class Take>
void with_exact_copy(std::string_view piece, Take take) {
  const auto exact = std::make_unique<char[]>(piece.size());
  std::copy(piece.begin(), piece.end(), exact.get());
  take(std::string_view(exact.get(), piece.size()));
}

}  // namespace splitproof::fuzz
