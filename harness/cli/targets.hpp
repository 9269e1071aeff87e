#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/contract/profile.hpp"
#include "harness/result.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// A target and what it is, for `list targets`.
struct TargetName {
  std::string name;
  std::string kind;  ///< "in-process", "http" or "pipe"
  std::string client;
  std::string upstream;
  std::string what;
};

/// The reference, then the target files that come with the program, by name; mutants have a list of their own. An Error for one that cannot be read.
Result<std::vector<TargetName>> target_names();

/// Whether a target is a program of its own, and needs a supervisor.
bool is_program(const std::string& target);

/// What a target has to speak; empty: whatever it does.
struct Protocols {
  std::string client;
  std::string upstream;
};

/// A supervisor where one of the targets needs it, else null. Programs that it runs find those that came with this one
/// on their PATH. To be called while the program has one thread.
Result<std::unique_ptr<testee::Supervisor>> supervisor_for(const std::vector<std::string>& targets);

/// A target by its name, a mutant as `mutant:NAME`, or by the path of its file, which has a slash in it or ends in .yaml;
/// not started yet. The reference and mutants are set up as the profile says, for these protocols where they have them,
/// else for those of their default. An Error names the targets there are, or the
/// mistake in the file, which may be a feature under `cannot` that neither a recording has nor the harness sees in one: in
/// those of the folders `corpora` (empty: the project's own) or in the project's own.
/// `supervisor`, not null for a program, and `stop` must outlive it; on a stop, starting it ends with an Error.
Result<std::unique_ptr<testee::Testee>> make_target(const std::string& name, const contract::Profile& profile,
                                                    testee::Supervisor* supervisor,
                                                    const testee::StopToken& stop,
                                                    const std::vector<std::string>& corpora,
                                                    const Protocols& protocols = {});

}  // namespace splitproof::cli
