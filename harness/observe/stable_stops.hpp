#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// Cuts growing text at the first stop sequence. Its output is always a prefix of the text before
/// first_stop(), however the text continues. It holds back the longest suffix that may begin a stop sequence.
/// Only that suffix is read again.
class StableStops {
 public:
  /// Reads `text`, which begins with the text of the previous call.
  void read(std::string_view text, const std::vector<std::string>& stops);

  /// Returns the number of settled bytes. After a stop, later bytes are never delivered.
  std::size_t settled() const { return settled_; }
  bool stopped() const { return stopped_; }

 private:
  std::size_t at_ = 0;  ///< No stop sequence ends before it.
  std::size_t settled_ = 0;
  bool stopped_ = false;
};

}  // namespace splitproof::observe
