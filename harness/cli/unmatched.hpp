#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// Returns why no recording is left for a target, in a line with its upstream protocol, the protocols of the
/// recordings and a fix. `asked` is its name on the command line. Returns "" if a recording matches or there
/// is none.
std::string why_unmatched(const testee::Testee& target, const std::string& asked,
                          const std::vector<recording::Recording>& recordings);

}  // namespace splitproof::cli
