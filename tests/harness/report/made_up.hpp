#pragma once

#include <cstddef>
#include <string>

#include "constructed.hpp"

namespace splitproof::report {

/// Text of a hostile recording or target: markup, script, the end of an attribute, a command of GitHub's, a change of
/// text direction, invalid UTF-8.
extern const std::string kHostile;

/// Returns a campaign in which each of `targets` violates each of `rules` with a separate cause. All external text is
/// hostile. Cases are cut.
Constructed made_up(std::size_t targets, std::size_t rules);

/// Returns a campaign of three targets. `broken-proxy` has six bugs: one of each kind, a further protocol error, and a
/// bug that depends on the cuts. `good-proxy` has none. `late-proxy` was not tested. Each client has its own state.
Constructed every_kind();

}  // namespace splitproof::report
