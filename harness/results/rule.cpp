#include "harness/results/rule.hpp"

namespace splitproof::results {

using contract::Verdict;

bool says_something(const Rule& rule, Verdict verdict) {
  if (verdict == Verdict::violated) return rule.speaks != Speaks::never;
  return rule.speaks == Speaks::always && (verdict == Verdict::met || verdict == Verdict::passed_on);
}

}  // namespace splitproof::results
