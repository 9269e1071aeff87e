#include "harness/split/count_splits.hpp"

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

#include "harness/split/hash_of_cuts.hpp"
#include "harness/split/repeatable_cuts.hpp"

namespace splitproof::split {
namespace {

// Returns a hash of the generator's cuts, or nullopt if no other generator makes them.
std::optional<std::uint64_t> hash_of(const Generator& generator, const Subject& subject) {
  if (std::holds_alternative<Withheld>(generator)) return std::nullopt;
  if (const auto* random = std::get_if<AtRandom>(&generator)) {
    const auto cuts = repeatable_cuts(subject.size, random->index, random->seed);
    return cuts ? std::optional(hash_of_cuts(*cuts)) : std::nullopt;
  }
  return hash_of_cuts(generate(generator, subject).value());
}

}  // namespace

std::size_t count_distinct(const std::vector<Generator>& splits, const Subject& subject,
                           const std::vector<Generator>& earlier) {
  std::unordered_set<std::uint64_t> known;
  known.reserve(splits.size());
  for (const Generator& generator : earlier) {
    if (const auto hash = hash_of(generator, subject)) known.insert(*hash);
  }
  std::size_t count = 0;
  for (const Generator& generator : splits) {
    const auto hash = hash_of(generator, subject);
    if (!hash || known.insert(*hash).second) ++count;
  }
  return count;
}

}  // namespace splitproof::split
