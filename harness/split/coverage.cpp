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

SeamCoverage seam_coverage(const Subject& subject, const std::vector<Split>& splits) {
  std::vector<std::size_t> cut(subject.size);    // by offset
  std::vector<std::size_t> alone(subject.size);  // by offset
  for (const Split& split : splits) {
    for (const std::size_t offset : split.cuts) ++cut[offset];
    if (split.cuts.size() == 1) ++alone[split.cuts.front()];
  }
  SeamCoverage coverage{};
  for (const Seam& seam : subject.seams) {
    SeamCoverage::Count& count = coverage.counts[static_cast<std::size_t>(seam.kind)];
    ++count.applicable;
    count.cut += cut[seam.offset];
    count.alone += alone[seam.offset];
  }
  return coverage;
}

}  // namespace splitproof::split
