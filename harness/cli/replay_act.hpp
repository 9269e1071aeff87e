#pragma once

#include "harness/cli/commands.hpp"
#include "harness/cli/open_case.hpp"

namespace splitproof::cli {

/// Replays a case that is an act on connections: prints what each client got and which rules that violates. Returns the
/// exit code.
int replay_act(const ReplayCommand& command, const OpenCase& open);

}  // namespace splitproof::cli
