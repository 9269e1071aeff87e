#include "harness/campaign/baselines.hpp"

#include <utility>

namespace splitproof::campaign {

AsArrived asked_of(const testee::Testee& testee, const recording::Recording& recording) {
  return [&testee, &recording](const Upstream& upstream) {
    return testee.observe(exchange_of(upstream, recording));
  };
}

Baselines::Baselines(const Judge& judge, AsArrived as_arrived)
    : judge_(judge),
      as_arrived_(std::move(as_arrived)),
      recorded_(as_arrived_(judge.upstream())),
      known_(judge.known_message("as recorded", judge.upstream(), recorded_)) {
  if (known_.sound.value_or(true) || judge.upstream().cuts.empty()) return;
  Upstream whole = judge.upstream();
  whole.cuts.clear();
  KnownMessage in_one_piece = judge.known_message("in one piece", whole, as_arrived_(whole));
  if (in_one_piece.sound.value_or(false)) known_ = std::move(in_one_piece);
}

Baseline Baselines::of(const UpstreamReading& reading, const Upstream& as_arrived) const {
  if (reading.broken) return {&known_, {}, {}};
  if (as_arrived == judge_.upstream()) return judge_.baseline(known_, as_arrived, recorded_);
  return judge_.baseline(known_, as_arrived, as_arrived_(as_arrived));
}

}  // namespace splitproof::campaign
