#pragma once

#include <string>

#include "harness/campaign/case_id.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// What the upstream of one case sends: a body, where it is cut, and how it ends.
struct Upstream {
  std::string body;
  split::Cuts cuts;
  recording::End end = recording::End::complete;
};

/// The upstream of a case of this recording: its events dealt out anew, then broken by the fault, then cut. An Error
/// where the recording has no such recut, fault or split.
Result<Upstream> upstream_of(const CaseId& id, const recording::Recording& recording);

/// As a testee gets it. The views live as long as `upstream`.
testee::Exchange exchange_of(const Upstream& upstream);

}  // namespace splitproof::campaign
