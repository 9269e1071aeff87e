#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/contract/profile.hpp"
#include "harness/result.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// A target with its properties, for `list targets`.
struct TargetName {
  std::string name;
  std::string kind;  ///< "in-process", "http" or "pipe".
  std::string client;
  std::string upstream;
  std::string what;
};

/// Returns the reference, then the bundled target files, by name; mutants have a separate list. Returns an
/// Error if a file cannot be read.
Result<std::vector<TargetName>> target_names();

/// True if a target is a separate program and needs a supervisor.
bool is_program(const std::string& target);

/// Required protocols of a target; empty: any.
struct Protocols {
  std::string client;
  std::string upstream;
};

/// Number of instances of a target: as many as its file says, or one, because the command runs one case after the other.
enum class InstanceCount : std::uint8_t { as_in_file, one };

/// Returns a supervisor if one of the targets needs it, otherwise null. Its programs find the bundled ones on
/// their PATH. Call it while the program has one thread.
Result<std::unique_ptr<testee::Supervisor>> supervisor_for(const std::vector<std::string>& targets);

/// Makes a target from its name, from `mutant:NAME`, or from the path of its file, which contains a slash or
/// ends in .yaml. A name that ends in .so is the path of a shared library, for both given protocols. The target is not
/// started. The reference and mutants are configured by the profile, for
/// these protocols if supported, otherwise for their default. The Error lists the targets, or names the
/// mistake in the file. A feature under `cannot` is a mistake if the harness never detects it and no
/// recording has it. This covers recordings in `corpora` (empty: the project's own) and the project's own.
/// `supervisor` (not null for a program) and `stop` must outlive the target. After a stop, starting it
/// returns an Error.
Result<std::unique_ptr<testee::Testee>> make_target(const std::string& name, const contract::Profile& profile,
                                                    testee::Supervisor* supervisor,
                                                    const testee::StopToken& stop,
                                                    const std::vector<std::string>& corpora,
                                                    const Protocols& protocols = {},
                                                    InstanceCount instances = InstanceCount::as_in_file);

}  // namespace splitproof::cli
