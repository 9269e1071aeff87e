#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/results/upstream.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

using results::Upstream;

/// Returns the recorded body in the form for split generators.
split::Subject subject_of(const recording::Recording& recording);

/// Returns the upstream of a recording as it was recorded.
Upstream as_recorded(const recording::Recording& recording);

/// Returns the HTTP status of the upstream's answer.
int status_of(const Upstream& upstream, const recording::Recording& recording);

/// Returns the end of its message for a client that receives it unchanged.
observe::MessageEnd end_of(const Upstream& upstream);

/// True if only the recording's client request is of interest, not its answer (docs/recordings.md).
bool is_about_request(const recording::Recording& recording);

/// Returns the recording of the answer to a second turn; null if requests of the protocol have no reader.
const recording::Recording* answered_in_one_word(const std::string& protocol);

/// Returns the upstream of a case: applies the edits, the recut, the fault and the cuts, in this order. Returns an Error if the
/// recording has no such edit, recut, fault or split.
Result<Upstream> upstream_of(const Case& one, const recording::Recording& recording);

/// Returns the exchange for a testee, without holds (see Judge::exchange). The views live as long as
/// `upstream`.
testee::Exchange exchange_of(const Upstream& upstream, const recording::Recording& recording);

}  // namespace splitproof::campaign
