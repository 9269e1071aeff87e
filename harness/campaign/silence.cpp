#include "harness/campaign/silence.hpp"

namespace splitproof::campaign {

bool Hangs::leaves_out(const std::string& kind) {
  if (!answered_ && hung_ >= kMostHangs) return true;
  Kind& cases = kinds_[kind];
  if (cases.left_out == 0) return false;
  --cases.left_out;
  return true;
}

void Hangs::note(const std::string& kind, bool hung) {
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

void Silence::ended(std::size_t place, bool answered) {
  answered_[place] = answered;
  go_on();
}

std::optional<std::size_t> Silence::trial() {
  if (trial_ != Trial::due) return std::nullopt;
  trial_ = Trial::under_way;
  return good_;
}

void Silence::tried(bool answered) {
  trial_ = Trial::none;
  silent_ = 0;
  if (!answered) last_ = next_ - 1;
  go_on();
}

void Silence::go_on() {
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
