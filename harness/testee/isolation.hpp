#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace splitproof::testee {

/// Isolation of a program that is tested. Each part takes a namespace of Linux, which not every system allows.
struct Isolation {
  /// It has a PID namespace, and /proc shows that alone: it cannot see, signal, stop or trace any other process. When the
  /// first process of the namespace ends, the kernel kills all others.
  bool processes = false;
  /// The PID namespace is made in a new user namespace, because this user may not make one otherwise.
  bool users = false;
  /// It can write to the folders that it is given only, and to no setting of the kernel. `/dev` has no disks.
  bool files = false;

  /// If it is root, it gives up rights over other processes, mounts and the kernel. Isolation of processes needs that.
  bool rights = false;

  uid_t user = 0;   ///< who starts it
  gid_t group = 0;  ///< of that user

  bool any() const { return processes || files; }
};

/// Returns the strongest isolation that works here, which is found by trying. `without_network`: this process has left
/// the network, in a user namespace of its own. Then root needs Isolation::files, and `failed` is set to errno if the system
/// does not allow that; otherwise it is 0.
Isolation find_isolation(bool without_network, int& failed);

/// As fork(2), but the child is the first process of the new namespaces. It must call `isolate` next. To be called by a
/// process with one thread.
pid_t fork_isolated(const Isolation& isolation);

/// Completes the isolation of this process, which fork_isolated made, and of all that it starts. `writable` names folders. It
/// skips those that do not exist. Returns 0, or errno.
int isolate(const Isolation& isolation, const std::vector<std::string>& writable);

/// Maps this user and group, and nobody else, into the user namespace of this process, which then gives no other process
/// access to its memory (PR_SET_DUMPABLE). Returns 0, or errno.
int map_user(uid_t user, gid_t group);

/// Writes to a file of the kernel. False if that fails, and errno says why.
bool tell_kernel(const char* file, const std::string& text);

}  // namespace splitproof::testee
