#include "harness/campaign/dead_target.hpp"

namespace splitproof::campaign {

bool HangBackoff::leaves_out(const std::string& kind) {
  if (!answered_ && hung_ >= kMostHangs) return true;
  Kind& cases = kinds_[kind];
  if (cases.left_out == 0) return false;
  --cases.left_out;
  return true;
}

void HangBackoff::note(const std::string& kind, bool hung) {
  if (!hung) {
    answered_ = true;
    return;
  }
  ++hung_;
  Kind& cases = kinds_[kind];
  if (++cases.hung < kMostHangs) return;
  cases.leap = cases.leap == 0 ? 1 : 4 * cases.leap;
  cases.left_out = cases.leap;
}

void DeadTargetDetector::ended(std::size_t place, bool answered) {
  answered_[place] = answered;
  go_on();
}

std::optional<std::size_t> DeadTargetDetector::trial() {
  if (trial_ != Trial::due) return std::nullopt;
  trial_ = Trial::under_way;
  return good_;
}

void DeadTargetDetector::tried(bool answered) {
  trial_ = Trial::none;
  silent_ = 0;
  if (!answered) last_ = next_ - 1;
  go_on();
}

void DeadTargetDetector::go_on() {
  while (!last_ && trial_ == Trial::none && next_ < answered_.size() && answered_[next_]) {
    const bool answered = *answered_[next_];
    if (answered) good_ = next_;
    silent_ = answered ? 0 : silent_ + 1;
    ++next_;
    if (silent_ < kSilentInARow) continue;
    if (good_) {
      trial_ = Trial::due;
    } else {
      last_ = next_ - 1;
    }
  }
}

}  // namespace splitproof::campaign
