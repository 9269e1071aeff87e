#pragma once

#include <string>
#include <vector>

#include "harness/campaign/judge.hpp"
#include "harness/contract/judge.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::hunt {

/// Returns the shape of a behaviour as one line of text. It has the status and the ending, the types of events in order of
/// their first appearance, the blocks and the stop reason of the assembled message, and the violated rules with their
/// clauses. Texts, ids and lengths are not part of it.
std::string shape_of(const campaign::Judge& judge, const testee::Observation& seen,
                     const std::vector<contract::Judged>& all);

/// Returns only the violated rules with their clauses: "ANT-05/0 END-01/2"; empty without a violation.
std::string violations_of(const std::vector<contract::Judged>& all);

}  // namespace splitproof::hunt
