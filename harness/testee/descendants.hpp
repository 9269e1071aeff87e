#pragma once

#include <sys/types.h>

#include <set>
#include <vector>

namespace splitproof::testee {

/// Returns the processes that descend from `root` according to /proc, except `spared` and their descendants.
/// It may miss a process that is created or changes its parent meanwhile, so repeat the call if you need all.
std::vector<pid_t> descendants_of(pid_t root, const std::set<pid_t>& spared = {});

/// Sends them a signal. The kernel assigns process ids in turn, so none of them is reused an instant later.
void signal_descendants_of(pid_t root, int signal, const std::set<pid_t>& spared = {});

}  // namespace splitproof::testee
