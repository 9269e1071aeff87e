#include "harness/observe/code_bytes.hpp"

namespace splitproof::observe {
namespace {

constexpr std::size_t kFence = 3;   // backticks, at least
constexpr std::size_t kIndent = 3;  // spaces, at most

}  // namespace

void CodeBytes::take(char c) {
  if (c == '\n') return end_line();
  const bool tick = c == '`';
  if (c == ' ' && ticks_ == 0 && !run_over_) {
    ++spaces_;
  } else if (tick && !run_over_) {
    ++ticks_;
  } else {
    run_over_ = true;
    only_blanks_ = only_blanks_ && (c == ' ' || c == '\t' || c == '\r');
  }
  blank_ = blank_ && (c == ' ' || c == '\t');
  ++size_;
  const bool outside = fence_ == 0 || opening_;
  if (outside && tick && !run_over_ && spaces_ <= kIndent && ticks_ >= kFence) {
    fence_ = ticks_;
    opening_ = true;
  } else if (tick && fence_ == 0) {
    odd_ = !odd_;
  }
}

void CodeBytes::end_line() {
  const bool closes =
      fence_ > 0 && !opening_ && spaces_ <= kIndent && ticks_ >= fence_ && (only_blanks_ || !run_over_);
  CodeBytes next;
  next.fence_ = closes ? 0 : fence_;
  *this = next;
}

}  // namespace splitproof::observe
