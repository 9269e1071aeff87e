#pragma once

namespace splitproof::testee {

/// How the start of a supervisor's process went.
struct ZygoteState {
  int failed = 0;                   ///< errno; 0: it serves launches
  bool isolates_processes = false;  ///< what it starts cannot reach other processes
};

/// What the supervisor's process does: a keeper for each LaunchMessage that comes over `control`. When that connection
/// ends, all keepers are told to end, and once they have, so does this. It lets go of everything else that it inherited:
/// descriptors, session and signal dispositions. To be called in a process that has just been forked from one with one
/// thread.
///
/// With `sockets`, not -1, it first goes where there is no network, and later answers what ask_for_socket asks over
/// `sockets`. The first message that it sends over `control` is a ZygoteState.
[[noreturn]] void serve_launches(int control, int sockets);

}  // namespace splitproof::testee
