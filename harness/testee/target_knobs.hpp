#pragma once

#include <map>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::testee {

/// Returns the target with the profile's answer in place of each `{knob:NAME}` in its command, environment
/// and files. So a program knows how it will be judged. A target without such names is unchanged. An Error
/// names a knob that the profile does not set.
Result<TargetFile> with_knobs(TargetFile target, const std::map<std::string, std::string>& knobs);

}  // namespace splitproof::testee
