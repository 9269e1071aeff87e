#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/split/coverage.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::split {

/// Returns the splits of a plan. Splits with equal cuts appear once, under the first label.
inline std::vector<Split> planned(const Subject& subject, const PlanSettings& settings) {
  std::vector<Split> splits;
  std::set<Cuts> known;
  for (const Generator& generator : plan(subject, settings)) {
    Cuts cuts = generate(generator, subject).value();
    if (known.insert(cuts).second) splits.push_back({label(generator), std::move(cuts)});
  }
  return splits;
}

/// Returns the labels of the possible planned recuts. Recuts with equal bodies appear once, under the first label.
inline std::vector<std::string> planned_recuts(const Rechunker& dealer, std::string_view body,
                                               std::size_t random, bool sweep, std::uint64_t seed) {
  std::vector<std::string> labels;
  std::set<std::string> known;
  const Recuts recuts(dealer, body);
  for (std::string& label : recuts.plan(random, sweep, seed)) {
    const std::optional<Recut> made = recuts.make(label);
    if (made && known.insert(made->body).second) labels.push_back(std::move(label));
  }
  return labels;
}

/// Returns the cuts of a label for a body.
inline Result<Cuts> cuts_of(std::string_view label, std::string_view body,
                            const std::vector<std::size_t>& arrivals, const BodyFormat& format) {
  return parse_generator(label).and_then(
      [&](const Generator& generator) { return cuts_of(generator, body, arrivals, format); });
}

/// Returns the seam coverage of one body by these splits.
inline SeamCoverage seam_coverage(const Subject& subject, const std::vector<Split>& splits) {
  SeamCounter counter(subject);
  for (const Split& split : splits) counter.add(split.cuts);
  return counter.coverage();
}

}  // namespace splitproof::split
