#pragma once

#include <string>

#include "harness/contract/profile.hpp"
#include "harness/result.hpp"
#include "harness/shrink/shrink.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::shrink {

/// Returns a smallest case as a standalone test for a framework ("vitest", "pytest" or "go"). The user fills
/// in the call of the translator. The test serves the upstream's bytes and asserts what the harness expects
/// of the answer. For a rule about event order it asserts that order.
///
/// `folder` contains the templates: a frame for each framework, a reader for each client protocol, and the
/// order rules that it checks. Returns an Error if the test cannot assert the rule.
Result<std::string> pasted_test(const Shrunk& shrunk, const testee::Traits& testee,
                                const std::string& framework, const std::string& folder);

}  // namespace splitproof::shrink
