#pragma once

#include "harness/prove/composition.hpp"
#include "harness/prove/prove.hpp"

namespace splitproof::prove {

/// Proves one recording with one testee. `tried` is for the testees of the same recording.
Proof prove_recording(const testee::Testee& testee, const recording::Recording& recording,
                      const ProofSettings& settings, TriedFramers& tried);

}  // namespace splitproof::prove
