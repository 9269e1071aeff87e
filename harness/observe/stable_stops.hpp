#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// Text that grows up to the first of the texts at which the answer is to end, as far as nothing that may still come
/// changes it: a beginning of what stands before first_stop(), however it goes on. The longest end waits that begins
/// one of them and is none. Each byte is read once, but for that end.
class StableStops {
 public:
  /// Reads `text`, which begins with what was read before.
  void read(std::string_view text, const std::vector<std::string>& stops);

  /// How many bytes are settled. What stands behind them once it is stopped is never told.
  std::size_t settled() const { return settled_; }
  bool stopped() const { return stopped_; }

 private:
  std::size_t at_ = 0;  ///< before this ends none
  std::size_t settled_ = 0;
  bool stopped_ = false;
};

}  // namespace splitproof::observe
