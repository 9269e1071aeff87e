#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// A cost that grows with the square of what a request or a stream has many of.
struct SquareCost {
  std::string of;                      ///< "tools"
  std::array<std::size_t, 3> sizes{};  ///< n, 2n and 4n
  std::array<double, 3> seconds{};     ///< what each cost, beyond what the smallest request costs

  /// The e of "the cost grows as n^e".
  double exponent() const;
};

/// How far one dimension was tried.
struct GrowthTried {
  std::string of;        ///< as above
  std::size_t most = 0;  ///< that was answered; 0: not even the first request was
  double seconds = 0;    ///< what that cost

  bool operator==(const GrowthTried&) const = default;
};

/// How the cost of one target grows. It is advice, and no verdict.
struct Growth {
  bool of_processor = false;       ///< costs are processor time of the target; else of the clock
  std::vector<SquareCost> square;  ///< what grows with the square
  std::vector<GrowthTried> tried;  ///< all that was looked at
  std::string ended;               ///< why the rest was not tried; empty: all was
};

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
