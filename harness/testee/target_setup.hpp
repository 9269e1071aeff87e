#pragma once

#include "harness/result.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/readiness.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::testee {

/// Does the steps of a target's `setup`, in order. An Error names the step that failed, and what it returned.
Result<void> set_up(const TargetFile& target, const Places& places, const HttpAddress& address,
                    Supervisor& supervisor, const StopToken& stop);

}  // namespace splitproof::testee
