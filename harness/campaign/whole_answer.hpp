#pragma once

#include <string>

#include "harness/campaign/standing.hpp"
#include "harness/contract/judge.hpp"
#include "harness/dialect/client.hpp"
#include "harness/observe/side.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// What a testee made of a recording for a client that asked for a stream.
struct Streamed {
  observe::Side side;
  Standing standing;
  std::string
      whole;  ///< what the upstream answers in one piece where no stream is asked for; empty: it streams
};

/// What a client is told otherwise in one piece than it was streamed, one clause; empty where both say the same.
std::string difference_of_whole(const dialect::Client& client, const observe::Side& streamed,
                                const observe::Side& whole);

/// META-01: whether the answer to the same request for one piece says the same. Not judged where the testee does not offer
/// that, or asks its upstream for one piece too and that cannot say what was recorded.
contract::Judged judge_whole(const Streamed& streamed, const testee::Observation& whole,
                             const Standing& standing, const testee::Traits& testee,
                             const observe::DataKind& kind);

}  // namespace splitproof::campaign
