#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace splitproof::contract {

/// A set of event classes, by their ids. A membership test costs one word for each 64 classes of the file.
class ClassSet {
 public:
  void add(std::size_t class_id) {
    if (words_.size() <= class_id / 64) words_.resize(class_id / 64 + 1);
    words_[class_id / 64] |= std::uint64_t{1} << (class_id % 64);
  }

  /// True if it shares a class with `bits`, which has one bit a class.
  bool meets(const std::uint64_t* bits) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      if ((words_[word] & bits[word]) != 0) return true;
    }
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace splitproof::contract
