#pragma once

#include <vector>

#include "harness/cli/options.hpp"

namespace splitproof::cli {

// Each is defined in the file with its name.
extern const Command kTry, kDoctor, kRun, kCheck, kDecode, kReplay, kShrink, kFuzz, kDistil, kProve,
    kUpstream, kExplain, kList, kRecord, kImport, kExport, kJudge, kMerge, kDiff, kUi, kSelfTest, kFalsify;

/// Returns all commands, in the help's order.
std::vector<const Command*> commands();

}  // namespace splitproof::cli
