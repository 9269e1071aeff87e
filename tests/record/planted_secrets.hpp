#pragma once

#include <string>
#include <vector>

namespace splitproof::record {

/// Returns a made-up secret of each shape. They are put together here, so that no scanner finds one in this file.
const std::vector<std::string>& planted_secrets();

}  // namespace splitproof::record
