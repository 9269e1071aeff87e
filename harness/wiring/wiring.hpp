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
  testee::TargetFile target;            ///< the draft with all that was found out
  std::vector<Step> steps;              ///< the last one failed, or all succeeded
  std::vector<ClientProbe> directions;  ///< questions that work; the target has the first one's direction

  bool complete() const { return !directions.empty() && !steps.back().failed(); }
};

/// Connects a proxy: starts the stand-in and the proxy, asks it as each client, and reads its protocols from what reaches
/// the stand-in. It finds what the draft leaves empty: `listen`, `client`, `upstream`, `request_path` and `model`. What the
/// draft has is checked. `advised` is who reads the changes. `on_step` is called after each step. All references must outlive the call;
/// on a stop the current step fails.
Wired wire(testee::TargetFile draft, Advised advised, testee::Supervisor& supervisor,
           const testee::StopToken& stop, const std::function<void(const Step&)>& on_step);

}  // namespace splitproof::wiring
