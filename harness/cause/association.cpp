#include "harness/cause/association.hpp"

#include <bit>
#include <numeric>

namespace splitproof::cause {
namespace {

constexpr std::size_t kWord = 64;
constexpr double kUsually = 0.8;
constexpr double kHardly = 0.6;  // times as often
constexpr std::size_t kToCompare = 3;

double rate(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Association::Association(std::size_t rules, std::size_t cases)
    : rules_(rules, {Bits((cases + kWord - 1) / kWord), Bits((cases + kWord - 1) / kWord)}) {}

void Association::set(Bits& bits, std::size_t i) { bits[i / kWord] |= std::uint64_t{1} << (i % kWord); }

void Association::set_violated(std::size_t rule, std::size_t one_case) {
  set(rules_[rule].violated, one_case);
  set(rules_[rule].exercised, one_case);
}

void Association::set_met(std::size_t rule, std::size_t one_case) { set(rules_[rule].exercised, one_case); }

bool Association::comes_with(std::size_t b, std::size_t a, std::size_t enough) const {
  std::size_t with = 0, violated_with = 0, without = 0, violated_without = 0;
  const Bits& cause = rules_[a].violated;
  for (std::size_t i = 0; i < cause.size(); ++i) {
    const std::uint64_t exercised = rules_[b].exercised[i];
    const std::uint64_t violated = rules_[b].violated[i];
    with += static_cast<std::size_t>(std::popcount(exercised & cause[i]));
    violated_with += static_cast<std::size_t>(std::popcount(violated & cause[i]));
    without += static_cast<std::size_t>(std::popcount(exercised & ~cause[i]));
    violated_without += static_cast<std::size_t>(std::popcount(violated & ~cause[i]));
  }
  if (with < enough || without < kToCompare) return false;
  const double usual = rate(violated_with, with);
  return usual >= kUsually && rate(violated_without, without) <= kHardly * usual;
}

std::size_t Association::violations(std::size_t rule) const {
  const Bits& bits = rules_[rule].violated;
  return std::accumulate(bits.begin(), bits.end(), std::size_t{0}, [](std::size_t sum, std::uint64_t word) {
    return sum + static_cast<std::size_t>(std::popcount(word));
  });
}

}  // namespace splitproof::cause
