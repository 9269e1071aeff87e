#pragma once

#include <sys/types.h>

#include <chrono>

namespace splitproof::testee {

/// Returns the processor time that the processes below `root` have used so far, in the system and for themselves, as
/// /proc shows it: in steps of ten milliseconds. Time of processes that have ended counts once their parent knows of it.
std::chrono::milliseconds processor_time_below(pid_t root);

}  // namespace splitproof::testee
