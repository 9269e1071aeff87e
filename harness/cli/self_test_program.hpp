#pragma once

#include "harness/cli/selection.hpp"

namespace splitproof::cli {

/// What the command `self-test` is asked to do.
struct SelfTestCommand {
  Selection selection;
};

/// The command, run by `run`, which gets the words of the command line, too. Few users ever need what it does, and it takes long to build:
/// so it is a program of its own, `splitproof-self-test`, that takes the same words and is found next to this one.
Command self_test_command(int (*run)(const SelfTestCommand& command, char** words));

/// Does it. It is part of that program only.
int run_self_test(const SelfTestCommand& command, char** words);

}  // namespace splitproof::cli
