#pragma once

#include <memory>

#include "harness/result.hpp"
#include "harness/testee/library.hpp"

namespace splitproof::cli {

/// Opens the library of mutants, or returns an Error if it is missing.
Result<std::shared_ptr<const testee::Library>> open_mutants();

}  // namespace splitproof::cli
