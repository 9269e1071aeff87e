#pragma once

namespace splitproof::testee {

/// Result of a supervisor's start.
struct ZygoteState {
  int failed = 0;                   ///< Errno; 0: it serves launches.
  bool isolates_processes = false;  ///< Its programs cannot reach other processes.
};

/// Runs the supervisor's process. It forks a keeper for each LaunchMessage from `control`. When that
/// connection ends, it asks all keepers to end, waits for them and exits. It releases everything else that it
/// inherited: descriptors, session and signal dispositions. Call it in a process just forked from a process
/// with one thread.
///
/// With `sockets` other than -1, it first leaves the network, and later answers ask_for_socket over
/// `sockets`. Its first message on `control` is a ZygoteState.
[[noreturn]] void serve_launches(int control, int sockets);

}  // namespace splitproof::testee
