#include "harness/results/plan.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <vector>

#include "harness/fnv1a.hpp"

namespace splitproof::results {
namespace {

std::string targets_of(const Plan& plan) {
  std::string text;
  for (const auto& [name, is] : plan.targets) text += (text.empty() ? "" : ", ") + name + " (" + is + ")";
  return text;
}

// The fields as they appear in messages.
std::vector<std::pair<const char*, std::string>> fields_of(const Plan& plan) {
  return {{"version of splitproof", plan.version},
          {"number of shards", std::to_string(plan.shards)},
          {"seed", std::to_string(plan.seed)},
          {"options", plan.options},
          {"profile", plan.profile},
          {"targets", targets_of(plan)},
          {"corpus", plan.corpus},
          {"contracts", plan.contracts}};
}

}  // namespace

std::string Plan::digest() const {
  std::string text;
  for (const auto& [name, value] : fields_of(*this)) text += fmt::format("{} {}\n", value.size(), value);
  return fmt::format("{:016x}", fnv1a(text));
}

Result<void> check_same(const Plan& a, const Plan& b) {
  const auto of_a = fields_of(a);
  const auto of_b = fields_of(b);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (of_a[i].second == of_b[i].second) continue;
    return tl::unexpected(Error{fmt::format("the reports have different plans ({}: '{}' and '{}')",
                                            of_a[i].first, of_a[i].second, of_b[i].second),
                                {},
                                0,
                                "run all shards with the same version, options, target file and folders"});
  }
  return {};
}

}  // namespace splitproof::results
