#include "harness/results/result.hpp"

namespace splitproof::results {

std::tuple<bool, bool, bool, bool, std::size_t> effort(bool alone, bool fault, bool only_cut,
                                                       const Upstream& upstream) {
  return {!alone, fault, upstream.status.has_value(), !only_cut, upstream.cuts.size()};
}

Reproducer reproducer_of(const Behaviour& behaviour, const Symptom& symptom) {
  return {behaviour.case_id,  behaviour.only_cut, true,
          behaviour.fault,    behaviour.upstream, symptom.place,
          symptom.downstream, symptom.message,    behaviour.body,
          symptom.of_request};
}

bool decides(contract::Level level, bool strict) {
  return level == contract::Level::must || (strict && level == contract::Level::should);
}

bool decides(const Row& row, bool strict) { return row.breaks_client || decides(row.level, strict); }

bool decides(const Symptom& symptom, bool strict) {
  return symptom.breaks_client || decides(symptom.level, strict);
}

}  // namespace splitproof::results
