#pragma once

#include <vector>

#include "harness/cli/options.hpp"

namespace splitproof::cli {

// Each stands in a file of its name.
extern const Command kRun, kCheck, kDecode, kReplay, kShrink, kUpstream, kExplain, kList, kImport, kJudge,
    kMerge, kDiff, kSelfTest, kFalsify;

/// The commands of the program, in the order of its help.
std::vector<const Command*> commands();

}  // namespace splitproof::cli
