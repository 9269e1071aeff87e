#include "harness/prove/witness.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace splitproof::prove {
namespace {

using split::Cuts;

// Returns every cut in [begin, end] that a body of this size can have.
Cuts cuts_between(std::size_t begin, std::size_t end, std::size_t size) {
  Cuts cuts;
  for (std::size_t cut = std::max<std::size_t>(begin, 1); cut <= end && cut < size; ++cut)
    cuts.push_back(cut);
  return cuts;
}

Cuts joined(Cuts cuts, const Cuts& more) {
  cuts.insert(cuts.end(), more.begin(), more.end());
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

Cuts without(const Cuts& cuts, const Cuts& less) {
  Cuts left;
  std::set_difference(cuts.begin(), cuts.end(), less.begin(), less.end(), std::back_inserter(left));
  return left;
}

// Two splits. The second has all cuts of the first, and more.
struct TwoSplits {
  Cuts fewer;
  Cuts more;
};

// The splits to try, those with the fewest cuts first.
std::vector<TwoSplits> candidates(std::size_t size, Chunk chunk) {
  constexpr std::size_t kLater = 64;
  const Cuts begin = cuts_between(chunk.begin, chunk.begin, size);
  const Cuts end = cuts_between(chunk.end, chunk.end, size);
  const Cuts inside = cuts_between(chunk.begin + 1, chunk.end - 1, size);
  const Cuts before = cuts_between(1, chunk.begin, size);
  const Cuts after = cuts_between(chunk.end, size, size);
  std::vector<TwoSplits> all{{{}, begin}, {{}, end}, {{}, joined(begin, end)}};
  for (const Cuts& around : {joined(begin, end), joined(before, end), joined(before, after)})
    all.push_back({around, joined(around, inside)});
  // The states differ after the chunk. A later cut may be needed to show it.
  const std::size_t step = after.size() / kLater + 1;
  for (std::size_t i = 0; i < after.size(); i += step) {
    const Cuts around = joined(joined(before, end), {after[i]});
    all.push_back({around, joined(around, inside)});
  }
  return all;
}

// Adds the cuts one after the other until the outcome changes.
Witness narrowed(const RunSplit& run, const TwoSplits& two, const Outcome& outcome) {
  const Cuts added = without(two.more, two.fewer);
  const auto with_first = [&](std::size_t count) {
    return joined(two.fewer, {added.begin(), added.begin() + static_cast<std::ptrdiff_t>(count)});
  };
  std::size_t same = 0;
  std::size_t other = added.size();
  while (other - same > 1) {
    const std::size_t middle = (same + other) / 2;
    (run(with_first(middle)) == outcome ? same : other) = middle;
  }
  Witness witness;
  witness.common = with_first(same);
  witness.cut = added[other - 1];
  return witness;
}

bool show_difference(const RunSplit& run, const Cuts& common, std::size_t cut) {
  return run(common) != run(joined(common, {cut}));
}

// Leaves out common cuts, in large parts first.
void leave_out_cuts(const RunSplit& run, Witness& witness) {
  if (show_difference(run, {}, witness.cut)) {
    witness.common.clear();
    return;
  }
  for (std::size_t part = witness.common.size(); part > 0; part /= 2) {
    for (std::size_t at = 0; at < witness.common.size();) {
      const auto begin = witness.common.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(part, witness.common.size() - at));
      Cuts fewer = without(witness.common, {begin, end});
      if (show_difference(run, fewer, witness.cut))
        witness.common = std::move(fewer);
      else
        at += part;
    }
  }
}

}  // namespace

Cuts Witness::cuts() const { return joined(common, {cut}); }

std::optional<Witness> witness_between(const RunSplit& run, const Cuts& fewer, const Cuts& more) {
  const Outcome outcome = run(fewer);
  if (run(more) == outcome) return std::nullopt;
  Witness witness = narrowed(run, {fewer, more}, outcome);
  leave_out_cuts(run, witness);
  witness.without = run(witness.common);
  witness.with = run(witness.cuts());
  return witness;
}

std::optional<Witness> single_cut_witness(const RunSplit& run, std::size_t size) {
  const Outcome whole = run({});
  for (std::size_t cut = 1; cut < size; ++cut) {
    Outcome with = run({cut});
    if (with != whole) return Witness{{}, cut, whole, std::move(with)};
  }
  return std::nullopt;
}

std::optional<Witness> find_witness(const RunSplit& run, std::size_t size, Chunk chunk) {
  for (const TwoSplits& two : candidates(size, chunk))
    if (auto witness = witness_between(run, two.fewer, two.more)) return witness;
  return std::nullopt;
}

}  // namespace splitproof::prove
