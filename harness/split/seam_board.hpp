#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/split/seam.hpp"

namespace splitproof::split {

/// Collects seams in any order, and more than once. Offsets that are no cut (0, and the end or beyond) are
/// ignored, so scanners need not know where the body ends.
class SeamBoard {
 public:
  explicit SeamBoard(std::size_t body_size) : kinds_at_(body_size) {}

  void mark(SeamKind kind, std::size_t offset) {
    if (offset > 0 && offset < kinds_at_.size()) kinds_at_[offset] |= bit(kind);
  }

  /// Marks every offset strictly between `begin` and `end`: the inside of the bytes [begin, end).
  void mark_inside(SeamKind kind, std::size_t begin, std::size_t end) {
    for (std::size_t offset = begin + 1; offset < end; ++offset) mark(kind, offset);
  }

  /// All marks, by offset and then kind; behind kMostSurveyed those that find_seams gives there.
  std::vector<Seam> seams() const {
    std::vector<Seam> all;
    for (std::size_t offset = 0; offset < kinds_at_.size(); ++offset) {
      const std::uint64_t given = offset <= kMostSurveyed ? ~std::uint64_t{0} : kEverywhere;
      for (std::uint64_t kinds = kinds_at_[offset] & given; kinds != 0; kinds &= kinds - 1) {
        all.push_back({static_cast<SeamKind>(std::countr_zero(kinds)), offset});
      }
    }
    return all;
  }

 private:
  static std::uint64_t bit(SeamKind kind) { return std::uint64_t{1} << static_cast<unsigned>(kind); }
  static_assert(kSeamKinds <= 64);
  static constexpr std::uint64_t kEverywhere = std::uint64_t{1}
                                                   << static_cast<unsigned>(SeamKind::event_boundary) |
                                               std::uint64_t{1} << static_cast<unsigned>(SeamKind::last_byte);

  std::vector<std::uint64_t> kinds_at_;  ///< one bit a kind, by offset
};

}  // namespace splitproof::split
