#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/cli/selection.hpp"
#include "harness/cli/targets.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::cli {

/// A started target, with the recordings that it takes.
struct HuntTarget {
  contract::Contracts contracts;
  contract::Profile profile;
  recording::Corpus corpus;
  std::unique_ptr<testee::Supervisor> supervisor;
  testee::StopToken stop{};  ///< Abandons exchanges in flight.
  std::unique_ptr<testee::Testee> target{};
  std::vector<const recording::Recording*> recordings{};  ///< Of `corpus`; without recordings about requests.
};

/// Opens and starts one target for the commands that try single cases of many recordings. Call it while the program has one
/// thread. On failure it prints the reason and returns the exit code.
tl::expected<std::unique_ptr<HuntTarget>, int> open_hunt_target(const std::string& name,
                                                                const Selection& selection,
                                                                InstanceCount instances);

/// Returns a digest of all besides the target that a case's result depends on.
std::string digest_of_hunt(const HuntTarget& opened, const std::string& further);

}  // namespace splitproof::cli
