#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// Why no recording is left for a target, in a line: what its upstream speaks, what the recordings are of, and how that is
/// mended. `asked` is what the command line calls it. Empty where a recording is of its protocol, or there is none.
std::string why_unmatched(const testee::Testee& target, const std::string& asked,
                          const std::vector<recording::Recording>& recordings);

}  // namespace splitproof::cli
