#pragma once

#include <string>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"

namespace splitproof::cli {

/// Shows a violation of a rule about one stream: where the smallest stream that is known to violate it does so, as `check`
/// would say it, and in which lines it differs from the nearest stream that violates nothing, where these are few. Of
/// several falsifiers it prefers one that needs no knob to be set. Nothing is shown of a rule that is not about one
/// stream.
std::string how_it_breaks(const contract::Contracts& contracts, const contract::Profile& profile,
                          const contract::Obligation& obligation);

/// What judges the rule, as one line: the command that a maintainer can run.
std::string judged_by(const contract::Obligation& obligation);

}  // namespace splitproof::cli
