#include "harness/split/count_splits.hpp"

#include <algorithm>

#include "harness/split/hash_of_cuts.hpp"
#include "harness/split/hash_set.hpp"
#include "harness/split/repeatable_cuts.hpp"

namespace splitproof::split {

std::size_t count_distinct(const std::vector<Generator>& splits, const Subject& subject,
                           const std::vector<Generator>& earlier) {
  HashSet known;
  std::size_t count = 0;
  for (const auto* list : {&earlier, &splits}) {
    for (const Generator& generator : *list) {
      const bool is_new = std::holds_alternative<Withheld>(generator) ||
                          known.insert(hash_of_cuts(generate(generator, subject).value()));
      if (list == &splits && is_new) ++count;
    }
  }
  return count;
}

std::size_t count_random_and_sweep(const Subject& subject, const PlanSettings& settings) {
  HashSet known;
  std::size_t single_cuts = 0;  // different ones, before the sweep
  const auto is_new = [&](const Cuts& cuts) {
    if (!known.insert(hash_of_cuts(cuts))) return false;
    single_cuts += cuts.size() == 1 ? 1 : 0;
    return true;
  };
  for (const Generator& generator : plan(subject, {0, false, settings.seed}))
    is_new(generate(generator, subject).value());
  std::size_t count = 0;
  RepeatableCuts random(subject.size, settings.seed);
  for (std::size_t index = 0; index < settings.random; ++index) {
    const Cuts* cuts = random.draw(index);
    count += cuts == nullptr || is_new(*cuts) ? 1 : 0;
  }
  if (settings.sweep) count += std::max<std::size_t>(subject.size, 1) - 1 - single_cuts;
  return count;
}

}  // namespace splitproof::split
