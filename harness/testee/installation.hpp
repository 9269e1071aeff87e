#pragma once

#include <string>

#include "harness/result.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::testee {

/// Returns the absolute path of a target's folder: NAME in $SPLITPROOF_TARGETS, or in splitproof/targets of
/// $XDG_CACHE_HOME, or of ~/.cache. Returns an Error if none of these is set.
Result<std::string> folder_of_target(const std::string& name);

/// A target that is ready to start.
struct Installation {
  std::string dir;      ///< Its own absolute folder; empty if it already runs.
  std::string version;  ///< First line of its `version` command; empty: not known.

  bool operator==(const Installation&) const = default;
};

/// Creates the target's folder, runs `install` there unless this command has already succeeded, and asks for
/// the version. The folder's `.splitproof` holds the command that succeeded and the whole output. Waits while
/// another program installs the same target. An Error has the last lines of the output and the path of the
/// rest; the next run tries again. A stop request ends the running command and returns an Error.
Result<Installation> install(const TargetFile& target, Supervisor& supervisor, const StopToken& stop);

/// Runs a command line of a target's `setup` in its folder and with its `env`. Returns how it failed, or "".
Result<std::string> run_setup(const TargetFile& target, const std::string& command, const Places& places,
                              Supervisor& supervisor, const StopToken& stop);

/// Writes the target's files, with their folders. Returns an Error for a file outside of {dir} and {home}.
Result<void> write_files(const TargetFile& target, const Places& places);

/// Returns the target's command in its folder, with all names filled in. `errors` is the file for its
/// standard error.
Launch launch_of(const TargetFile& target, const Places& places, const std::string& errors);

}  // namespace splitproof::testee
