#include "harness/split/coverage.hpp"

#include <algorithm>

namespace splitproof::split {

SeamCoverage& SeamCoverage::operator+=(const SeamCoverage& other) {
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    counts[kind].applicable += other.counts[kind].applicable;
    counts[kind].cut += other.counts[kind].cut;
    counts[kind].alone += other.counts[kind].alone;
  }
  return *this;
}

void SeamCoverage::add_splits(const SeamCoverage& others) {
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    counts[kind].applicable = std::max(counts[kind].applicable, others.counts[kind].applicable);
    counts[kind].cut += others.counts[kind].cut;
    counts[kind].alone += others.counts[kind].alone;
  }
}

std::vector<SeamKind> SeamCoverage::uncut() const {
  std::vector<SeamKind> kinds;
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    if (counts[kind].applicable > 0 && counts[kind].alone == 0) kinds.push_back(static_cast<SeamKind>(kind));
  }
  return kinds;
}

SeamCounter::SeamCounter(const Subject& subject) : subject_(subject) {
  for (const Seam& seam : subject.seams)
    if (places_.empty() || places_.back() != seam.offset) places_.push_back(seam.offset);
  cut_.resize(places_.size());
  alone_.resize(places_.size());
}

void SeamCounter::add(const Cuts& cuts) {
  auto place = places_.begin();
  for (const std::size_t offset : cuts) {
    place = std::lower_bound(place, places_.end(), offset);
    if (place == places_.end() || *place != offset) continue;
    const auto number = static_cast<std::size_t>(place - places_.begin());
    ++cut_[number];
    alone_[number] += cuts.size() == 1 ? 1 : 0;
  }
}

SeamCoverage SeamCounter::coverage() const {
  SeamCoverage coverage{};
  std::size_t place = 0;
  for (const Seam& seam : subject_.seams) {
    if (places_[place] != seam.offset) ++place;
    SeamCoverage::Count& count = coverage.counts[static_cast<std::size_t>(seam.kind)];
    ++count.applicable;
    count.cut += cut_[place];
    count.alone += alone_[place];
  }
  return coverage;
}

}  // namespace splitproof::split
