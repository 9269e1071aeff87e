#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace splitproof::testee {

/// Isolation of a program that is tested. Each part needs a Linux namespace, which not every system allows.
struct Isolation {
  /// It has a PID namespace, and /proc shows only this one. So it cannot see, signal, stop or trace other
  /// processes. When the first process of the namespace ends, the kernel kills all others.
  bool processes = false;
  /// The PID namespace is inside a new user namespace, because this user may not create one otherwise.
  bool users = false;
  /// It can write only to the given folders, and to no kernel setting. `/dev` has no disks.
  bool files = false;

  /// If it is root, it gives up rights over other processes, mounts and the kernel. Isolation of processes
  /// needs this.
  bool rights = false;

  uid_t user = 0;   ///< User who starts it.
  gid_t group = 0;  ///< Group of that user.

  bool any() const { return processes || files; }
};

/// Returns the strongest isolation that works here, by trying. `without_network`: this process has left the
/// network, in a user namespace of its own. Then root needs Isolation::files. `failed` is errno if the system
/// does not allow that, otherwise 0.
Isolation find_isolation(bool without_network, int& failed);

/// Forks like fork(2), but the child is the first process of the new namespaces. The child must call
/// `isolate` next. The calling process must have one thread.
pid_t fork_isolated(const Isolation& isolation);

/// Completes the isolation of this process, which fork_isolated created, and of all its descendants.
/// `writable` names folders; missing ones are skipped. Returns 0, or errno.
int isolate(const Isolation& isolation, const std::vector<std::string>& writable);

/// Maps only this user and group into the user namespace of this process. Afterwards, it allows no other
/// process access to its memory (PR_SET_DUMPABLE). Returns 0, or errno.
int map_user(uid_t user, gid_t group);

/// Writes to a kernel file. Returns false and sets errno on failure.
bool tell_kernel(const char* file, const std::string& text);

}  // namespace splitproof::testee
