#pragma once

#include "harness/testee/isolation.hpp"
#include "harness/testee/launch_message.hpp"

namespace splitproof::testee {

/// Runs a keeper's process. It starts the program, reports its fate over the leash, and ends the program with
/// all descendants, including those with a new session or a lost parent. It does so when the leash is
/// released, on SIGTERM, and when the program has failed. Call it in a process just forked by fork_isolated,
/// with one thread and every signal blocked. Only the standard descriptors and those of `message` may be
/// open.
[[noreturn]] void keep(LaunchMessage message, const Isolation& isolation);

/// Reads all data of a signalfd(2), so that old signals wake nobody. Returns true if SIGTERM was among them.
bool drain_signals(int signals);

}  // namespace splitproof::testee
