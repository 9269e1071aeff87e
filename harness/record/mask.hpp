#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/record/escaped_text.hpp"

namespace splitproof::record {

/// Overwrites secrets. A mask has the length of its secret, and each character keeps its class. Small letters
/// become x, y or z, capital letters X, Y or Z, and digits 0 or 1. Other ASCII characters stay. Equal secrets
/// have equal masks, and different secrets hardly ever. Nobody can compute a secret from its mask. The choice
/// of characters depends on a random key that is never written.
class Mask {
 public:
  /// Draws the key.
  Mask();

  /// Returns the mask of a secret.
  std::string of(std::string_view secret) const;

  /// Overwrites a part of `text` in `raw`, whose text it is. Escapes stay escapes of the same size.
  void cover(std::string& raw, const EscapedText& text, std::size_t begin, std::size_t end) const;

 private:
  std::uint64_t key_[2] = {};
};

/// True if a text has only letters and digits that masks have, and escapes, which masks keep. A text without letters and digits has nothing
/// to hide.
bool is_masked(std::string_view text);

}  // namespace splitproof::record
