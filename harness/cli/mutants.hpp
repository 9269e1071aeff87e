#pragma once

#include <memory>

#include "harness/result.hpp"
#include "harness/testee/library.hpp"

namespace splitproof::cli {

/// The library of mutants that comes with the program. An Error where it is not there.
Result<std::shared_ptr<const testee::Library>> open_mutants();

}  // namespace splitproof::cli
