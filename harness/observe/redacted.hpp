#pragma once

#include <string>
#include <string_view>

#include "harness/observe/choices.hpp"

namespace splitproof::observe {

/// What stands for a path; none: nothing is taken out.
std::string_view marker_of(Choices::Marker marker);

/// A text with `marker` in place of each path of the upstream's machine, as docs/cleaning.md has it without a configuration.
std::string redacted(std::string_view text, std::string_view marker);

/// The same of the strings that are values in a call's arguments, which may be cut off anywhere: each is read as it reads,
/// and only the bytes of paths go. Where the arguments are no beginning of JSON any more, all stays.
std::string redacted_arguments(std::string_view arguments, std::string_view marker);

}  // namespace splitproof::observe
