#include "harness/hunt/hunt.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace splitproof::hunt {
namespace {

// A killed search repeats at most so many cases.
constexpr std::size_t kBetweenMarks = 256;

// One case in so many is made from any kept case, the others rather from late ones.
constexpr std::uint64_t kAnyOf = 3;

// Returns the earlier cases and the seeds of this search.
std::vector<campaign::Case> first_cases(const HuntSettings& settings,
                                        const std::vector<campaign::Case>& seeds) {
  std::vector<campaign::Case> own;
  std::size_t number = 0;
  for (const auto* cases : {&settings.earlier, &seeds})
    for (const campaign::Case& one : *cases)
      if (number++ % settings.shard.second == settings.shard.first) own.push_back(one);
  return own.empty() ? seeds : own;  // more searches than cases
}

}  // namespace

Hunt::Hunt(CaseProbe& probe, const Mutator& mutator, SearchLog& log, const HuntSettings& settings)
    : probe_(probe),
      mutator_(mutator),
      log_(log),
      settings_(settings),
      first_(first_cases(settings, mutator.seeds())),
      cases_(log.cases()) {
  for (const KeptCase& kept : log.kept()) known_.insert(kept.fresh.begin(), kept.fresh.end());
}

const campaign::Case& Hunt::choose(split::SplitMix64& random) const {
  const std::vector<KeptCase>& kept = log_.kept();
  if (!settings_.guided || kept.empty()) return first_[random.below(first_.size())];
  const std::size_t any = random.below(kept.size());
  if (random.below(kAnyOf) == 0) return kept[any].one;
  return kept[std::max(any, static_cast<std::size_t>(random.below(kept.size())))].one;
}

campaign::Case Hunt::next(std::size_t number) const {
  if (number <= first_.size()) return first_[number - 1];
  split::SplitMix64 random(settings_.seed * 0x9E3779B97F4A7C15 + number);
  const campaign::Case& one = choose(random);
  return mutator_.mutate(one, choose(random), random);
}

Result<void> Hunt::try_case(const campaign::Case& one) {
  const auto reached = probe_.run(one);
  if (!reached) return tl::unexpected(reached.error());
  if (!reached->complete && settings_.stop()) return {};  // the stop itself may have broken it
  KeptCase kept{cases_ + 1, one, {}, reached->violations};
  std::set_difference(reached->features.begin(), reached->features.end(), known_.begin(), known_.end(),
                      std::back_inserter(kept.fresh));
  known_.insert(kept.fresh.begin(), kept.fresh.end());
  ++cases_;
  if (!kept.fresh.empty()) return log_.keep(kept);
  return cases_ % kBetweenMarks == 0 ? log_.reach(cases_) : Result<void>();
}

Result<void> Hunt::run() {
  while ((settings_.most_cases == 0 || cases_ < settings_.most_cases) && !settings_.stop()) {
    if (const auto tried = try_case(next(cases_ + 1)); !tried) {
      (void)log_.reach(cases_);
      return tried;
    }
    settings_.on_case(cases_, log_.kept().size());
  }
  return log_.reach(cases_);
}

}  // namespace splitproof::hunt
