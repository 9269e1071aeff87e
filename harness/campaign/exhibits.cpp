#include "harness/campaign/exhibits.hpp"

#include <utility>

namespace splitproof::campaign {

evidence::StoredExchange exhibit_of(std::string case_id, const Upstream& upstream,
                                    const testee::Exchange& exchange, const testee::Observation& seen) {
  evidence::StoredExchange exhibit;
  exhibit.case_id = std::move(case_id);
  exhibit.upstream = upstream.body;
  exhibit.cuts = upstream.cuts;
  exhibit.end = upstream.end;
  exhibit.status = upstream.status;
  exhibit.leave_at = upstream.leave_at;
  exhibit.frames = upstream.frames;
  for (const testee::Hold& hold : exchange.holds) exhibit.holds.push_back(hold.offset);
  exhibit.seen = seen;
  return exhibit;
}

Upstream upstream_of(const evidence::StoredExchange& exhibit, const Case& one) {
  return {exhibit.upstream, exhibit.cuts,   exhibit.end,   exhibit.status,
          exhibit.leave_at, one.withheld(), exhibit.frames};
}

testee::Observation as_arrived(const evidence::Evidence& evidence, const Upstream& upstream) {
  const evidence::StoredExchange* found = nullptr;
  for (const evidence::StoredExchange& exhibit : evidence.exhibits) {
    const bool same = exhibit.cases == 0 && exhibit.upstream == upstream.body &&
                      exhibit.end == upstream.end && exhibit.status == upstream.status &&
                      exhibit.leave_at == upstream.leave_at && exhibit.frames == upstream.frames;
    if (!same || (found != nullptr && exhibit.cuts != upstream.cuts)) continue;
    found = &exhibit;
    if (exhibit.cuts == upstream.cuts) break;
  }
  if (found != nullptr) return found->seen;
  testee::Observation nothing;
  nothing.ending = testee::Ending::skipped;
  nothing.detail = "the evidence has no answer for the original chunks";
  return nothing;
}

}  // namespace splitproof::campaign
