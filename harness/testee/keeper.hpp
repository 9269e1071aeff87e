#pragma once

#include "harness/testee/isolation.hpp"
#include "harness/testee/launch_message.hpp"

namespace splitproof::testee {

/// What a keeper's process does: starts the program, tells over the leash what becomes of it, and ends the program with
/// all that it started, also what made a session of its own or lost its parent. It ends them when the leash is let go, on
/// SIGTERM, and when the program has failed. To be called in a process that has just been forked by fork_isolated, with one
/// thread, every signal blocked, and nothing open beside the standard descriptors and those of `message`.
[[noreturn]] void keep(LaunchMessage message, const Isolation& isolation);

/// Reads all that a signalfd(2) has, so that it wakes nobody for what is known. Whether SIGTERM was among it.
bool drain_signals(int signals);

}  // namespace splitproof::testee
