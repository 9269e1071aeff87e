#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/canary.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/connection_trial.hpp"

namespace splitproof::campaign {

/// An act of the upstream on a connection around or between answers, and the reactions that are allowed.
struct ConnectionActKind {
  std::string_view name;       ///< in case ids: act=NAME
  std::string_view says;       ///< "sends a complete answer that nobody asked for"
  bool closes_idle = false;    ///< it closes an idle connection, which no client may notice
  bool may_resend = false;     ///< it closes a used connection after the request: one more call is correct
  bool first_is_plain = true;  ///< the first client gets a plain answer
  bool floods = false;         ///< it sends so much that a target that stores it grows
};

/// All acts. The first does nothing and is the baseline. The last has several clients at once.
const std::vector<ConnectionActKind>& connection_acts();
const ConnectionActKind& plain_act();
const ConnectionActKind& crowd_act();

/// Returns null if the name is unknown.
const ConnectionActKind* connection_act(std::string_view name);

/// A trial with its canaries.
struct ActTrial {
  testee::ConnectionTrial trial;
  std::vector<std::vector<std::size_t>> own;  ///< canary number of each client in each round
  std::size_t unrequested = 0;                ///< canary number of unrequested content
};

/// Returns a trial of one act with a recording that has canary_stream(). In a crowd `clients`, at least two,
/// send requests at once. Each trial of a run has another number, so that leftovers of one trial can be
/// recognised in the next.
ActTrial trial_of(const ConnectionActKind& act, const recording::Recording& recording, std::size_t clients,
                  std::size_t number);

}  // namespace splitproof::campaign
