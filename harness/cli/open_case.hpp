#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "harness/cli/find_case.hpp"
#include "harness/cli/selection.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// One case, what it is to be run through, and by what it is judged.
struct OpenCase {
  contract::Contracts contracts;
  contract::Profile profile;
  FoundCase found;  ///< its client is said
  std::unique_ptr<testee::Supervisor> supervisor;
  std::unique_ptr<const testee::StopToken>
      never;                               ///< a signal ends the program, and with it what was started
  std::unique_ptr<testee::Testee> target;  ///< it translates for this case, and was not started
};

/// The case and the target that these name, as commands that run one case take them. Where there is none, the reason has
/// been printed, and this is the exit code.
tl::expected<OpenCase, int> open_case(const std::string& what, const std::string& target,
                                      const Selection& selection);

}  // namespace splitproof::cli
