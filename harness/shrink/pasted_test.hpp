#pragma once

#include <string>

#include "harness/contract/profile.hpp"
#include "harness/result.hpp"
#include "harness/shrink/shrink.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::shrink {

/// A smallest case as a test that needs nothing of this program: a file for the framework ("vitest", "pytest" or "go"),
/// in which its owner fills in how the translator is called. The test serves what the upstream sent, and asks for what
/// the harness expects of the answer; of a rule on the order of events, for that order.
///
/// `folder` has the parts that such tests are put together of: a frame for each framework, a reader for each protocol of
/// clients, and which rules on order that checks. An Error where they cannot ask for what the rule demands.
Result<std::string> pasted_test(const Shrunk& shrunk, const testee::Traits& testee,
                                const std::string& framework, const std::string& folder);

}  // namespace splitproof::shrink
