#pragma once

#include <string>
#include <string_view>

#include "harness/observe/choices.hpp"

namespace splitproof::observe {

/// Returns the replacement for a path, or "" if none is removed.
std::string_view marker_of(Choices::Marker marker);

/// Returns a text with `marker` in place of each path of the upstream's machine, without a configuration
/// (contracts/specifications/cleaning.md).
std::string redacted(std::string_view text, std::string_view marker);

/// Does the same for the string values in a call's arguments, which may be cut anywhere. Decodes each string,
/// and replaces only the bytes of paths. From the point where the arguments are no prefix of JSON, everything
/// stays.
std::string redacted_arguments(std::string_view arguments, std::string_view marker);

}  // namespace splitproof::observe
