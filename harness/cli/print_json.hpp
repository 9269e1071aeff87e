#pragma once

#include <nlohmann/json_fwd.hpp>

namespace splitproof::cli {

/// Prints a line of JSON for programs to standard output, in ASCII. A terminal's control characters are made visible in
/// other output, which would change a JSON string.
void print_json(const nlohmann::ordered_json& value);

}  // namespace splitproof::cli
