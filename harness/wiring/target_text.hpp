#pragma once

#include <string>

#include "harness/testee/target_file.hpp"

namespace splitproof::wiring {

/// Returns the text of a target file that load_target_file reads as this value. Keys with their default value are left out, and
/// so are `install`, `version`, `files`, `setup`, `cannot` and libraries.
std::string target_text(const testee::TargetFile& target);

}  // namespace splitproof::wiring
