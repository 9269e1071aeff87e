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

/// One case with its target, contracts and profile.
struct OpenCase {
  contract::Contracts contracts;
  contract::Profile profile;
  FoundCase found;  ///< its client is set
  std::unique_ptr<testee::Supervisor> supervisor;
  std::unique_ptr<const testee::StopToken> never;  ///< a signal ends the program and its children
  std::unique_ptr<testee::Testee> target;          ///< set up for this case, not started
};

/// Opens the case and the target for commands that run one case. On failure it prints the reason and returns
/// the exit code.
tl::expected<OpenCase, int> open_case(const std::string& what, const std::string& target,
                                      const Selection& selection);

}  // namespace splitproof::cli
