#include "harness/hunt/hunt.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

namespace splitproof::hunt {
namespace {

// A killed search repeats at most so many cases.
constexpr std::size_t kBetweenMarks = 256;

// Ways to choose a case. In one of them it is one of the newest, because what needs several steps needs them one by one.
constexpr std::uint64_t kWays = 6;
constexpr std::size_t kNewest = 8;

bool reached_further(const KeptCase& kept) {
  return kept.fresh.size() > 1 || kept.fresh.front() != feature_of_shape(kept.violations);
}

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

Hunt::Hunt(const std::vector<CaseProbe*>& probes, const Mutator& mutator, SearchLog& log,
           const HuntSettings& settings)
    : probes_(probes),
      mutator_(mutator),
      log_(log),
      settings_(settings),
      first_(first_cases(settings, mutator.seeds())),
      cases_(log.cases()) {
  for (const KeptCase& kept : log.kept()) known_.insert(kept.fresh.begin(), kept.fresh.end());
  for (std::size_t i = 0; i < log.kept().size(); ++i)
    if (reached_further(log.kept()[i])) further_.push_back(i);
}

// Returns a case that was kept up to case number `before`.
const campaign::Case& Hunt::choose(std::size_t before, split::SplitMix64& random) const {
  const std::vector<KeptCase>& all = log_.kept();
  const auto kept = static_cast<std::size_t>(
      std::partition_point(all.begin(), all.end(),
                           [&](const KeptCase& one) { return one.number <= before; }) -
      all.begin());
  if (!settings_.guided || kept == 0) return first_[random.below(first_.size())];
  const auto further =
      static_cast<std::size_t>(std::lower_bound(further_.begin(), further_.end(), kept) - further_.begin());
  const auto late = [&](std::size_t count) { return std::max(random.below(count), random.below(count)); };
  switch (further == 0 ? 0 : random.below(kWays)) {
    case 0:
      return all[random.below(kept)].one;
    case 1:
      return all[late(kept)].one;
    case 2:
    case 3:
    case 4:
      return all[further_[late(further)]].one;
    default:
      return all[further_[further - 1 - random.below(std::min(further, kNewest))]].one;
  }
}

campaign::Case Hunt::make(std::size_t number) const {
  if (number <= first_.size()) return first_[number - 1];
  const std::size_t before = (number - 1) / kRound * kRound;  // the last case before its round
  split::SplitMix64 random(settings_.seed * 0x9E3779B97F4A7C15 + number);
  const campaign::Case& one = choose(before, random);
  return mutator_.mutate(one, choose(before, random), random);
}

// Returns the results of the cases up to the first that did not run.
std::vector<Result<Reached>> Hunt::run_round(const std::vector<campaign::Case>& round) {
  std::vector<std::optional<Result<Reached>>> results(round.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&](CaseProbe& probe) {
    for (std::size_t i = next++; i < round.size() && !settings_.stop(); i = next++) {
      results[i] = probe.run(round[i]);
      if (!*results[i]) next = round.size();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < probes_.size(); ++i) others.emplace_back([&, i] { work(*probes_[i]); });
    work(*probes_.front());
  }
  std::vector<Result<Reached>> run;
  for (std::size_t i = 0; i < results.size() && results[i]; ++i) run.push_back(*std::move(results[i]));
  return run;
}

Result<void> Hunt::take(const campaign::Case& one, const Result<Reached>& reached) {
  if (!reached) return tl::unexpected(reached.error());
  KeptCase kept{cases_ + 1, one, {}, reached->violations};
  std::set_difference(reached->features.begin(), reached->features.end(), known_.begin(), known_.end(),
                      std::back_inserter(kept.fresh));
  known_.insert(kept.fresh.begin(), kept.fresh.end());
  ++cases_;
  if (!kept.fresh.empty()) {
    if (reached_further(kept)) further_.push_back(log_.kept().size());
    return log_.keep(kept);
  }
  return cases_ % kBetweenMarks == 0 ? log_.reach(cases_) : Result<void>();
}

Result<void> Hunt::run() {
  const auto is_over = [this] {
    return (settings_.most_cases != 0 && cases_ >= settings_.most_cases) || settings_.stop();
  };
  while (!is_over()) {
    std::vector<campaign::Case> round;
    do {
      round.push_back(make(cases_ + round.size() + 1));
    } while ((cases_ + round.size()) % kRound != 0 && cases_ + round.size() != settings_.most_cases);
    const std::vector<Result<Reached>> results = run_round(round);
    for (std::size_t i = 0; i < results.size(); ++i) {
      // The stop itself may have broken the case.
      if ((!results[i] || !results[i]->complete) && settings_.stop()) break;
      if (const auto taken = take(round[i], results[i]); !taken) {
        (void)log_.reach(cases_);
        return taken;
      }
      settings_.on_case(cases_, log_.kept().size());
    }
  }
  return log_.reach(cases_);
}

}  // namespace splitproof::hunt
