#pragma once

#include <sys/types.h>

#include <chrono>

namespace splitproof::testee {

/// Returns the processor time of the processes below `root` so far, in user and system mode, from /proc in
/// steps of ten milliseconds. Time of ended processes counts once their parent has waited for them.
std::chrono::milliseconds processor_time_below(pid_t root);

}  // namespace splitproof::testee
