#include "harness/cause/co_occurrence.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace splitproof::cause {
namespace {

using Bits = std::vector<std::uint64_t>;

constexpr std::size_t kWord = 64;      // bits of an element of Bits
constexpr std::size_t kMany = 20;      // recordings that show a near-universal sign, at least
constexpr double kMostly = 0.6;        // the same, as a share of the recordings that check its rule
constexpr double kWidely = 0.3;        // the same, as a share of all recordings
constexpr double kUsually = 0.8;       // share that counts as "almost always"
constexpr double kHardly = 0.6;        // share without the other sign, relative to the share with it
constexpr std::size_t kToCompare = 3;  // fewer recordings prove nothing

void set(Bits& bits, std::size_t i) { bits[i / kWord] |= std::uint64_t{1} << (i % kWord); }

// Counts the bits of `a` that are set in `b` too, or, without `in_second`, that are not set in `b`.
std::size_t overlap(const Bits& a, const Bits& b, bool in_second = true) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<std::size_t>(std::popcount(a[i] & (in_second ? b[i] : ~b[i])));
  return sum;
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

CoOccurrence::CoOccurrence(const std::vector<BehaviourSample>& items, const ViolationKinds& signs) {
  const std::size_t words = (items.size() + kWord - 1) / kWord;
  seen_.assign(signs.size(), {Bits(words), Bits(words)});
  for (const BehaviourSample& item : items) {
    if (!item.arrived || !item.is_usual) continue;
    std::set<std::string> asked(item.behaviour->meets.begin(), item.behaviour->meets.end());
    for (const results::Symptom& symptom : item.behaviour->symptoms) asked.insert(symptom.rule);
    for (std::size_t sign = 0; sign < signs.size(); ++sign)
      if (asked.count(signs[sign].rule->id) != 0) set(seen_[sign].asked, items_);
    for (const std::size_t sign : item.fresh) set(seen_[sign].shows, items_);
    ++items_;
  }
}

std::size_t CoOccurrence::count(std::size_t sign) const { return both(sign, sign); }

std::size_t CoOccurrence::both(std::size_t a, std::size_t b) const {
  return overlap(seen_[a].shows, seen_[b].shows);
}

bool CoOccurrence::stands(std::size_t sign) const {
  const std::size_t shown = count(sign);
  return shown >= kMany && share(shown, items_) > kWidely &&
         share(shown, overlap(seen_[sign].asked, seen_[sign].asked)) > kMostly;
}

bool CoOccurrence::is_constant(std::size_t sign) const {
  return count(sign) >= kToCompare &&
         share(count(sign), overlap(seen_[sign].asked, seen_[sign].asked)) >= kUsually;
}

bool CoOccurrence::is_inside(std::size_t b, std::size_t a) const {
  const std::size_t shown = count(b);
  const std::size_t other = count(a);
  return shown > 0 && share(both(a, b), shown) >= kUsually && (other > shown || (other == shown && a < b));
}

bool CoOccurrence::comes_with(std::size_t b, std::size_t a) const {
  const Bits& asked = seen_[b].asked;
  Bits with(asked.size()), without(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    with[i] = asked[i] & seen_[a].shows[i];
    without[i] = asked[i] & ~seen_[a].shows[i];
  }
  const std::size_t others = overlap(without, without);
  if (others < kToCompare) return false;
  const double usual = share(overlap(with, seen_[b].shows), overlap(with, with));
  return usual >= kUsually && share(overlap(without, seen_[b].shows), others) <= kHardly * usual;
}

}  // namespace splitproof::cause
