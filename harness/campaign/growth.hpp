#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/growth.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

using results::Growth;
using results::GrowthTried;
using results::SquareCost;

/// Cost of one exchange for a target.
struct Cost {
  std::optional<double> seconds;  ///< nullopt: it did not answer
  bool is_lost = false;           ///< it ended or stopped answering, so the test must end
};
using ProbeCost = std::function<Cost(const testee::Exchange& exchange)>;

/// Measures how a target's cost grows over HTTP. Sends requests with more and more tools, messages, calls and
/// so on. Sends streams with more and more events, calls, blocks and so on. Doubles each size until its cost
/// is measurable, the target refuses it, or a few seconds are spent. A cost is quadratic if each of two
/// doublings at least tripled it, from 50 ms on, twice in a row. `stop` is called before each request.
///
/// The target must have been started and must have no other exchange.
Growth growth_of(const testee::Testee& testee, const std::function<bool()>& stop);

/// Measures any program with these client and upstream protocols.
Growth growth_of(const std::string& client, const std::string& upstream, const ProbeCost& cost_of,
                 const std::function<bool()>& stop);

}  // namespace splitproof::campaign
