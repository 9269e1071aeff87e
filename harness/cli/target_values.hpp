#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cli/targets.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::cli {

/// Loads the file of a target that is a program or a library: by its name, or by the path of its file.
Result<testee::TargetFile> find_target(const std::string& name);

/// As the make_target of targets.hpp, for a target file as a value.
Result<std::unique_ptr<testee::Testee>> make_target(const testee::TargetFile& given,
                                                    const contract::Profile& profile,
                                                    testee::Supervisor* supervisor,
                                                    const testee::StopToken& stop,
                                                    const std::vector<std::string>& corpora);

}  // namespace splitproof::cli
