#include "harness/evidence/stored_testee.hpp"

#include <algorithm>

namespace splitproof::evidence {

testee::Observation StoredTestee::observe(const testee::Exchange& exchange) const {
  std::string body;
  for (const std::string_view chunk : exchange.chunks) body += chunk;
  const auto found =
      std::find_if(evidence_.exhibits.begin(), evidence_.exhibits.end(), [&](const Exhibit& exhibit) {
        return exhibit.cases == 0 && exhibit.upstream == body && exhibit.end == exchange.end &&
               exhibit.status == exchange.status && exhibit.leave_at == exchange.leave_at;
      });
  if (found != evidence_.exhibits.end()) return found->seen;
  testee::Observation nothing;
  nothing.ending = testee::Ending::skipped;
  nothing.detail = "there is no evidence of the answer as it arrived";
  return nothing;
}

}  // namespace splitproof::evidence
