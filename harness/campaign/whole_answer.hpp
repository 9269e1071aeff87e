#pragma once

#include "harness/campaign/standing.hpp"
#include "harness/contract/judge.hpp"
#include "harness/observe/side.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// What a testee made of a recording for a client that asked for a stream.
struct Streamed {
  observe::Side side;
  Standing standing;
};

/// META-01: whether the answer to the same request for one piece says the same. Not judged where the testee does not offer
/// that, or asks its upstream for an answer in one piece too, as recordings are streams.
contract::Judged judge_whole(const Streamed& streamed, const testee::Observation& whole,
                             const Standing& standing, const testee::Traits& testee,
                             const observe::DataKind& kind);

}  // namespace splitproof::campaign
