#pragma once

#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/result.hpp"

namespace splitproof::falsify {

/// Where an example of a rule is: `written` as the contract file names it.
std::string example_path(const contract::Obligation& obligation, const std::string& written);

/// Judges an example of a rule: `file` is the falsifier's stream, request or evidence, or its control, as the contract file
/// names it. The profile is `standard` with the falsifier's knobs. One entry for each obligation that applies to what the
/// example is, in the order of the files. An Error names the file that cannot be read, and where it is named.
Result<std::vector<contract::Judged>> judge_example(const contract::Contracts& contracts,
                                                    const contract::Profile& standard,
                                                    const contract::Obligation& obligation,
                                                    const contract::Falsifier& falsifier,
                                                    const std::string& file);

}  // namespace splitproof::falsify
