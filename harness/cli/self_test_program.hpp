#pragma once

namespace splitproof::cli {

/// Becomes the program `splitproof-self-test`, which few users ever need and which takes long to build. Returns only where it
/// is not there, having said so.
int run_self_test_program(char** argv);

}  // namespace splitproof::cli
