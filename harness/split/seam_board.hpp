#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/split/seam.hpp"

namespace splitproof::split {

/// Collects seams in any order, with duplicates. Ignores offsets that cut nothing (0, the end or beyond), so
/// scanners need not check the size.
class SeamBoard {
 public:
  /// `only_events`: scanners may leave out all kinds but event_boundary.
  explicit SeamBoard(std::size_t body_size, bool only_events = false)
      : kinds_at_(body_size), only_events_(only_events) {}

  bool only_events() const { return only_events_; }

  void mark(SeamKind kind, std::size_t offset) {
    if (offset > 0 && offset < kinds_at_.size()) kinds_at_[offset] |= bit(kind);
  }

  /// Marks every offset strictly between `begin` and `end`.
  void mark_inside(SeamKind kind, std::size_t begin, std::size_t end) {
    for (std::size_t offset = begin + 1; offset < end; ++offset) mark(kind, offset);
  }

  /// Returns all marks, by offset and then kind; after kMostSurveyed only the kinds that find_seams returns
  /// there.
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

  std::vector<std::uint64_t> kinds_at_;  ///< One bit a kind, by offset.
  const bool only_events_;               ///< Only event_boundary is needed.
};

}  // namespace splitproof::split
