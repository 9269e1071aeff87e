#pragma once

#include <string_view>

#include "harness/observe/expected.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::observe {

/// Replaces the meaning of a recording's bytes by its `expect` under the profile of that name
/// (docs/recordings.md). Does nothing without `expect`. Clients without a word for an end by calls get a
/// normal stop.
///
/// The Error names the first unknown member or invalid value, also under another profile. Then `expected` is
/// unchanged.
Result<void> apply_expect(const recording::Recording& recording, std::string_view profile, Expected& expected,
                          const ClientCapabilities& carries = {});

}  // namespace splitproof::observe
