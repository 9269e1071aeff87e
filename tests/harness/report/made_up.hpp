#pragma once

#include <cstddef>
#include <string>

#include "constructed.hpp"

namespace splitproof::report {

/// Text that a hostile recording, or target, has: markup, script, what ends an attribute, a command of GitHub's, what turns
/// text, bytes that are no UTF-8.
extern const std::string kHostile;

/// A campaign in which each of `targets` violates each of `rules` by a cause of its own, with hostile text wherever text
/// comes from outside. Cases are cut.
Constructed made_up(std::size_t targets, std::size_t rules);

}  // namespace splitproof::report
