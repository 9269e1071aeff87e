#pragma once

#include <string>

#include "harness/result.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::testee {

/// Where a target lives between runs, an absolute path: NAME in $SPLITPROOF_TARGETS, or else in splitproof/targets of
/// $XDG_CACHE_HOME, or else of ~/.cache. An Error where none of these is set.
Result<std::string> folder_of_target(const std::string& name);

/// A target that is ready to be started.
struct Installation {
  std::string dir;      ///< its own folder, absolute; empty for one that runs already
  std::string version;  ///< the first line that its `version` prints; empty: not known

  bool operator==(const Installation&) const = default;
};

/// Makes the target's folder, runs `install` there unless that very command has already succeeded in it, and asks for the
/// version. What is noted about it lies in `.splitproof` in the folder: the command that succeeded, and the whole output.
/// While another program installs the same target, it waits. An Error has the last lines of the output and the place of
/// the rest; the next run tries again. When a stop is requested, it ends what it runs and returns an Error.
Result<Installation> install(const TargetFile& target, Supervisor& supervisor, const StopToken& stop);

/// Runs a command line of a target's `setup` in its folder and with its `env`. How it failed; empty where it did not.
Result<std::string> run_setup(const TargetFile& target, const std::string& command, const Places& places,
                              Supervisor& supervisor, const StopToken& stop);

/// Writes the target's files, with their folders. An Error for one that would lie outside of {dir} and {home}.
Result<void> write_files(const TargetFile& target, const Places& places);

/// The target's command in its folder, with everything filled in. `errors` is where it writes what it has to say.
Launch launch_of(const TargetFile& target, const Places& places, const std::string& errors);

}  // namespace splitproof::testee
