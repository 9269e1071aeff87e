#pragma once

namespace splitproof::testee {

/// What the supervisor's process does: a keeper for each LaunchMessage that comes over `control`. When that connection
/// ends, all keepers are told to end, and once they have, so does this. It lets go of everything else that it inherited:
/// descriptors, session and signal dispositions. To be called in a process that has just been forked from one with one
/// thread.
[[noreturn]] void serve_launches(int control);

}  // namespace splitproof::testee
