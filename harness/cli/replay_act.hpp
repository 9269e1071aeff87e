#pragma once

#include "harness/cli/open_case.hpp"
#include "harness/cli/selection.hpp"

namespace splitproof::cli {

/// The options of the command `replay`.
struct ReplayCommand {
  std::string what;  ///< Case id, recording id or path.
  std::string target = "reference";
  Selection selection;
  bool json = false;  ///< Print violations as JSON.
  bool downstream = false;
  bool strict = false;
};

/// Replays a case that is an act on connections. Prints each client's answer and the violated rules. Returns
/// the exit code.
int replay_act(const ReplayCommand& command, const OpenCase& open);

}  // namespace splitproof::cli
