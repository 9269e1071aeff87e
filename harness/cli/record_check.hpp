#pragma once

#include <string>

#include "harness/record/secret_shapes.hpp"

namespace splitproof::cli {

/// Looks for secrets in all recordings below a folder. Prints the file and line of each, and the verdict. Returns the exit
/// code: kViolates if there is a secret.
int check_for_secrets(const std::string& folder, const record::SecretShapes& shapes);

}  // namespace splitproof::cli
