#pragma once

#include <functional>
#include <vector>

#include "harness/testee/process.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/wiring/advice.hpp"
#include "harness/wiring/prober.hpp"
#include "harness/wiring/step.hpp"

namespace splitproof::wiring {

/// The result of connecting a proxy.
struct Wired {
  testee::TargetFile target;            ///< The draft with all that was found out.
  std::vector<Step> steps;              ///< The last one failed, or all succeeded.
  std::vector<ClientProbe> directions;  ///< Questions that work; the target has the first one's direction.

  bool complete() const { return !directions.empty() && !steps.back().failed(); }
};

/// Connects a proxy. Starts the stand-in and the proxy, asks as each client, and reads the protocols from the requests that
/// reach the stand-in. It finds these members of the draft if they are empty: `listen`, `client`, `upstream`, `request_path` and
/// `model`. It checks the others. `advised` is the thing that a user changes if a step fails. `on_step` is called after each
/// step. If a stop is requested, the current step fails.
Wired wire(testee::TargetFile draft, Advised advised, testee::Supervisor& supervisor,
           const testee::StopToken& stop, const std::function<void(const Step&)>& on_step);

}  // namespace splitproof::wiring
