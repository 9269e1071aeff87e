#include "harness/results/run_details.hpp"

#include <algorithm>

namespace splitproof::results {

RunDetails joined(RunDetails a, const RunDetails& b) {
  a.commands.insert(b.commands.begin(), b.commands.end());
  if (a.began.empty() || (!b.began.empty() && b.began < a.began)) a.began = b.began;
  a.milliseconds = std::max(a.milliseconds, b.milliseconds);
  a.suites.insert(b.suites.begin(), b.suites.end());
  for (const auto& [target, version] : b.versions) {
    std::string& known = a.versions[target];
    known = std::max(known, version);
  }
  return a;
}

}  // namespace splitproof::results
