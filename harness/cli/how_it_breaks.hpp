#pragma once

#include <string>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"

namespace splitproof::cli {

/// Returns an example for a rule about one stream or request: the violation in the smallest known one, as
/// `check` prints it. Adds the lines that differ from the nearest sound example, if these are few. Prefers
/// falsifiers without knobs. Returns "" for other rules.
std::string how_it_breaks(const contract::Contracts& contracts, const contract::Profile& profile,
                          const contract::Obligation& obligation);

/// Returns the command that judges the rule, as one line.
std::string judged_by(const contract::Obligation& obligation);

}  // namespace splitproof::cli
