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

/// What it costs a target to answer one exchange.
struct Cost {
  std::optional<double> seconds;  ///< none: it did not answer
  bool is_lost = false;           ///< it ended or fell silent, so that it is to be left alone
};
using ProbeCost = std::function<Cost(const testee::Exchange& exchange)>;

/// Sends a target that is reached over HTTP requests with ever more tools, messages, calls and so on, and upstream streams
/// with ever more events, calls, blocks and so on, and compares what they cost. Each is doubled until its cost can be
/// told, the target refuses it, or a few seconds are spent. A cost counts as square if it grew threefold at least with each
/// of two doublings, from 50 ms on, and did so again. `stop` is asked before each request.
///
/// The target must have been started, and no other exchange may be under way.
Growth growth_of(const testee::Testee& testee, const std::function<bool()>& stop);

/// The same of anything that has a client of this protocol and an upstream of that one.
Growth growth_of(const std::string& client, const std::string& upstream, const ProbeCost& cost_of,
                 const std::function<bool()>& stop);

}  // namespace splitproof::campaign
