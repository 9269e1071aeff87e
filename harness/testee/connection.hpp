#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/testee/answer.hpp"
#include "harness/testee/boundaries.hpp"
#include "harness/testee/http_request.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// How long the stand-in waits for whom.
struct ConnectionTimeouts {
  std::chrono::milliseconds request{30'000};  ///< for all of a request, once it has begun
  std::chrono::milliseconds idle{60'000};     ///< for the next request on a connection
  std::chrono::milliseconds read{10'000};   ///< for the client to read one write, and to close after the last
  std::chrono::milliseconds hold{60'000};   ///< for a hold to be released
  std::chrono::milliseconds stall{60'000};  ///< for the client to give up on a stalled response

  bool operator==(const ConnectionTimeouts&) const = default;
};

/// What all connections of one stand-in share.
struct Service {
  RequestLimits limits;
  ConnectionTimeouts timeouts;
  const Network* network = &own_network();
  bool exact = false;        ///< read boundaries have been proven here
  ResponseScript otherwise;  ///< for requests without an answer; its holds hold nothing
  Answers* answers = nullptr;
  /// A response has ended. The answer is null where none was ready. Called from the threads of the connections.
  std::function<void(PreparedAnswer*, Served)> record;
};

/// One connection of a client to the stand-in upstream, played to its end by the thread that has it.
class Connection {
 public:
  /// `service` and `stop` must outlive it.
  Connection(Descriptor socket, std::size_t number, const Service& service, const StopToken& stop);

  /// Answers the requests that come until the connection ends or a stop is requested.
  void serve();

 private:
  std::optional<UpstreamRequest> next_request();
  ServingOutcome play(PreparedAnswer* answer, const ResponseScript& script, const WritePlan& plan,
                      Served& served);
  ServingOutcome wait_at_hold(PreparedAnswer& answer, std::size_t n);
  Io look_for_client();
  void end(const ResponseScript& script, bool finished);
  Io write(std::string_view bytes);
  Io wait_until_read(const PreparedAnswer* answer);
  ServingOutcome stall(const PreparedAnswer* answer);
  void linger();

  Descriptor socket_;
  const std::size_t number_;
  const Service& service_;
  const StopToken& stop_;
  std::optional<PeerSocket> peer_;
  std::uint64_t sent_ = 0;  // bytes since the connection began
  std::string unread_;      // what came after the last request
};

}  // namespace splitproof::testee
