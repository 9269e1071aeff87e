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

/// What an upstream does with a connection around or between answers, and what that allows a proxy to do.
struct ConnectionActKind {
  std::string_view name;     ///< as in a case id: act=NAME
  std::string_view says;     ///< "sends a complete answer that nobody asked for"
  bool closes_idle = false;  ///< it ends an idle connection: no client may be told of that
  bool may_resend = false;   ///< the request on a used connection was closed at once: one more call is right
  bool first_is_plain = true;  ///< the first client gets a plain answer
  bool floods = false;         ///< so much is sent that a target which keeps it grows
};

/// All of them. The first does nothing: what a target does then is what the others are compared with. The last has several
/// clients at once.
const std::vector<ConnectionActKind>& connection_acts();
const ConnectionActKind& plain_act();
const ConnectionActKind& crowd_act();

/// Null if there is none of that name.
const ConnectionActKind* connection_act(std::string_view name);

/// A trial and who is who in it.
struct ActTrial {
  testee::ConnectionTrial trial;
  std::vector<std::vector<std::size_t>> own;  ///< of each client in each round: the number of its canary
  std::size_t unrequested = 0;                ///< the number of the canary in what nobody asked for
};

/// A trial of one act with a recording that has canary_stream(). `clients` ask at once in a crowd, which takes two at
/// least. Every trial of a run has another number, so that what is left of one can be told from what is said in the next.
ActTrial trial_of(const ConnectionActKind& act, const recording::Recording& recording, std::size_t clients,
                  std::size_t number);

}  // namespace splitproof::campaign
