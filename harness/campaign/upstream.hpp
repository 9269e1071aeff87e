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

/// The recorded body as a split generator takes it.
split::Subject subject_of(const recording::Recording& recording);

/// The upstream of a recording as it was recorded.
Upstream as_recorded(const recording::Recording& recording);

/// The HTTP status with which the upstream of this recording answers.
int status_of(const Upstream& upstream, const recording::Recording& recording);

/// How its message ends for a client that it is passed on to.
observe::MessageEnd end_of(const Upstream& upstream);

/// Whether a recording is there for a client's request: its answer is of no interest (docs/recordings.md).
bool is_about_request(const recording::Recording& recording);

/// The recording of the answer to a second turn; null where requests of the protocol cannot be read.
const recording::Recording* answered_in_one_word(const std::string& protocol);

/// The upstream of a case of this recording: its events dealt out anew, then broken by the fault, then cut. An Error
/// where the recording has no such recut, fault or split.
Result<Upstream> upstream_of(const Case& one, const recording::Recording& recording);

/// As a testee gets it, without what is held back (see Judge::exchange). The views live as long as `upstream`.
testee::Exchange exchange_of(const Upstream& upstream, const recording::Recording& recording);

}  // namespace splitproof::campaign
