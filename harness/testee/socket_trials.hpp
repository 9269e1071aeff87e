#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/testee/http_client.hpp"
#include "harness/testee/stand_in.hpp"
#include "harness/testee/websocket_client.hpp"

namespace splitproof::testee {

/// Access of the WebSocket trials to the target.
struct SocketTrialGround {
  StandIn& upstream;
  std::string protocol;                    ///< The upstream's protocol.
  bool client_socket = false;              ///< Clients speak to the target over WebSocket.
  bool upstream_socket = false;            ///< The target speaks to its upstream over WebSocket.
  std::function<std::string()> new_token;  ///< Returns the text that each request of one client has.
  /// Sends requests with these tokens, one after the other over one connection if clients speak over WebSocket.
  std::function<std::vector<Reply>(const std::vector<std::string>& tokens, const SocketSending& sending,
                                   std::chrono::milliseconds silence)>
      ask;
  std::chrono::milliseconds patience;  ///< For an answer.
};

/// Makes trials with several exchanges, while no other exchange runs. Returns facts of type `trial`. Their `what` is:
///
///   form     a valid form of the client's frames (`form`): `answered` if the target answers it like a plain one
///   next     two requests on one connection: `answered` if the second gets its answer, `foreign` if an answer has text of the other
///   silence  the upstream falls silent in mid-answer and only sends pings. `ended` if the exchange ends, as it does
///            without pings. Absent if it does not end without pings.
///
/// It takes some milliseconds, and up to three times `patience` if the target waits long for a silent upstream.
std::vector<SocketEvent> try_sockets(const SocketTrialGround& ground);

}  // namespace splitproof::testee
