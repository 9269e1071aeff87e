#pragma once

#include "harness/cli/selection.hpp"

namespace splitproof::cli {

/// The options of the command `self-test`.
struct SelfTestCommand {
  Selection selection;
  bool json = false;
};

/// Returns the command. `run` gets the options and argv. The self-test takes long to build and few users need
/// it. So it is a separate program, `splitproof-self-test`, next to `splitproof` and with the same arguments.
Command self_test_command(int (*run)(const SelfTestCommand& command, char** words));

/// Runs the self-test. Only `splitproof-self-test` contains it.
int run_self_test(const SelfTestCommand& command, char** words);

}  // namespace splitproof::cli
