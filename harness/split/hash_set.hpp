#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace splitproof::split {

/// A set of hashes. It needs at most 22 bytes for each and allocates rarely, unlike std::unordered_set.
class HashSet {
 public:
  /// True if the hash is new.
  bool insert(std::uint64_t hash) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    if (!put(hash == kEmpty ? kInsteadOfEmpty : hash)) return false;
    ++size_;
    return true;
  }

 private:
  static constexpr std::uint64_t kEmpty = 0;
  static constexpr std::uint64_t kInsteadOfEmpty = 1;
  static constexpr std::size_t kFewest = 64;

  bool put(std::uint64_t hash) {
    const std::size_t last = slots_.size() - 1;  // the size is a power of two
    std::size_t slot = hash & last;
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & last)
      if (slots_[slot] == hash) return false;
    slots_[slot] = hash;
    return true;
  }

  void grow() {
    std::vector<std::uint64_t> fewer = std::move(slots_);
    slots_.assign(fewer.empty() ? kFewest : 2 * fewer.size(), kEmpty);
    for (const std::uint64_t hash : fewer)
      if (hash != kEmpty) put(hash);
  }

  std::vector<std::uint64_t> slots_;
  std::size_t size_ = 0;
};

}  // namespace splitproof::split
