#include "harness/evidence/stored_testee.hpp"

#include <string_view>

namespace splitproof::evidence {

testee::Observation StoredTestee::observe(const testee::Exchange& exchange) const {
  std::string body;
  std::vector<std::size_t> cuts;
  for (const std::string_view chunk : exchange.chunks) {
    if (!body.empty()) cuts.push_back(body.size());
    body += chunk;
  }
  const Exhibit* found = nullptr;
  for (const Exhibit& exhibit : evidence_.exhibits) {
    const bool same = exhibit.cases == 0 && exhibit.upstream == body && exhibit.end == exchange.end &&
                      exhibit.status == exchange.status && exhibit.leave_at == exchange.leave_at;
    if (!same || (found != nullptr && exhibit.cuts != cuts)) continue;
    found = &exhibit;
    if (exhibit.cuts == cuts) break;
  }
  if (found != nullptr) return found->seen;
  testee::Observation nothing;
  nothing.ending = testee::Ending::skipped;
  nothing.detail = "there is no evidence of the answer as it arrived";
  return nothing;
}

}  // namespace splitproof::evidence
