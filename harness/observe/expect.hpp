#pragma once

#include <string_view>

#include "harness/observe/expected.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::observe {

/// Puts what a recording's `expect` says, under the profile of that name, in place of what its bytes mean. Its form
/// is that of docs/recordings.md. Does nothing without `expect`. Clients that cannot be told that calls ended an answer are
/// told that it stopped.
///
/// The Error names the first member that the form does not know or whose value it cannot take, also where it
/// stands under another profile; `expected` is then as it was.
Result<void> apply_expect(const recording::Recording& recording, std::string_view profile, Expected& expected,
                          const ClientCapabilities& carries = {});

}  // namespace splitproof::observe
