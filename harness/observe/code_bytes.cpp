#include "harness/observe/code_bytes.hpp"

namespace splitproof::observe {
namespace {

constexpr std::size_t kFence = 3;   // backticks or tildes, at least
constexpr std::size_t kIndent = 3;  // spaces, at most

}  // namespace

void CodeBytes::take(char c) {
  if (c == '\n') return end_line();
  const bool tick = c == '`';
  const bool marks = !run_over_ && (tick || c == '~') && (marks_ == 0 || c == mark_);
  if (c == ' ' && marks_ == 0 && !run_over_) {
    ++spaces_;
  } else if (marks) {
    mark_ = c;
    ++marks_;
  } else {
    run_over_ = true;
    only_blanks_ = only_blanks_ && (c == ' ' || c == '\t' || c == '\r');
  }
  blank_ = blank_ && (c == ' ' || c == '\t');
  ++size_;
  const bool outside = fence_ == 0 || opening_;
  if (outside && marks && spaces_ <= kIndent && marks_ >= kFence) {
    fence_ = marks_;
    fence_mark_ = mark_;
    opening_ = true;
  } else if (tick && !in_run_ && fence_ == 0) {
    odd_ = !odd_;
  }
  in_run_ = tick;
}

void CodeBytes::end_line() {
  const bool closes = fence_ > 0 && !opening_ && spaces_ <= kIndent && mark_ == fence_mark_ &&
                      marks_ >= fence_ && (only_blanks_ || !run_over_);
  CodeBytes next;
  if (!closes) {
    next.fence_ = fence_;
    next.fence_mark_ = fence_mark_;
  }
  *this = next;
}

}  // namespace splitproof::observe
