#pragma once

#include "harness/cli/options.hpp"

namespace splitproof::cli {

// The commands that need no target file. Each is defined in the file with its name.
extern const Command kTry, kDoctor;

}  // namespace splitproof::cli
