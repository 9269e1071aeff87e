#include "harness/split/coverage.hpp"

namespace splitproof::split {

SeamCoverage& SeamCoverage::operator+=(const SeamCoverage& other) {
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    counts[kind].applicable += other.counts[kind].applicable;
    counts[kind].cut += other.counts[kind].cut;
    counts[kind].alone += other.counts[kind].alone;
  }
  return *this;
}

std::vector<SeamKind> SeamCoverage::uncut() const {
  std::vector<SeamKind> kinds;
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    if (counts[kind].applicable > 0 && counts[kind].alone == 0) kinds.push_back(static_cast<SeamKind>(kind));
  }
  return kinds;
}

void SeamCounter::add(const Cuts& cuts) {
  for (const std::size_t offset : cuts) ++cut_[offset];
  if (cuts.size() == 1) ++alone_[cuts.front()];
}

SeamCoverage SeamCounter::coverage() const {
  SeamCoverage coverage{};
  for (const Seam& seam : subject_.seams) {
    SeamCoverage::Count& count = coverage.counts[static_cast<std::size_t>(seam.kind)];
    ++count.applicable;
    count.cut += cut_[seam.offset];
    count.alone += alone_[seam.offset];
  }
  return coverage;
}

}  // namespace splitproof::split
