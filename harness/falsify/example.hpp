#pragma once

#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/result.hpp"

namespace splitproof::falsify {

/// Returns the path of an example; `written` is its name in the contract file.
std::string example_path(const contract::Obligation& obligation, const std::string& written);

/// Judges an example of a rule. `file` is the falsifier's stream, request or evidence, or its control, as
/// named in the contract file. The profile is `standard` with the falsifier's knobs. Returns one entry for
/// each applicable obligation, in the order of the files. The Error names the unreadable file and its
/// reference.
Result<std::vector<contract::Judged>> judge_example(const contract::Contracts& contracts,
                                                    const contract::Profile& standard,
                                                    const contract::Obligation& obligation,
                                                    const contract::Falsifier& falsifier,
                                                    const std::string& file);

}  // namespace splitproof::falsify
