#include "harness/results/result.hpp"

#include <tuple>

namespace splitproof::results {

bool easier_to_read(const Reproducer& a, const Reproducer& b) {
  const auto rank = [](const Reproducer& one) {
    return std::tuple(!one.alone, !one.only_cut, one.upstream.cuts.size());
  };
  return rank(a) < rank(b);
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

}  // namespace splitproof::results
