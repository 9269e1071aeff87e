#pragma once

#include <memory>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/copyable.hpp"
#include "harness/testee/library.hpp"

namespace splitproof::testee {

/// Opens an exchange of a library that exports splitproof_fork. `variant` may be empty: the default. The Error is the
/// library's reason if it opens none.
Result<std::unique_ptr<CopyableStream>> open_library_stream(std::shared_ptr<const Library> library,
                                                            const std::string& variant,
                                                            const std::string& opening);

}  // namespace splitproof::testee
