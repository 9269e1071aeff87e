#pragma once

#include <sys/types.h>

#include <set>
#include <vector>

namespace splitproof::testee {

/// The processes that descend from `root`, as /proc shows them, without `spared` and what descends from those. One that
/// changes its parent or comes into being meanwhile may be missing, so whoever wants all of them asks again.
std::vector<pid_t> descendants_of(pid_t root, const std::set<pid_t>& spared = {});

/// Sends them a signal. Numbers are given out in turn, so none of them means another process an instant later.
void signal_descendants_of(pid_t root, int signal, const std::set<pid_t>& spared = {});

}  // namespace splitproof::testee
