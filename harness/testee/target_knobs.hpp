#pragma once

#include <map>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::testee {

/// The target with each `{knob:NAME}` in its command, its environment and the text of its files replaced by what the
/// profile answers, so that a program can be told how it will be judged. A target without any is returned as it is. An
/// Error names a knob that the profile does not set.
Result<TargetFile> with_knobs(TargetFile target, const std::map<std::string, std::string>& knobs);

}  // namespace splitproof::testee
