#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "harness/dialect/socket_form.hpp"
#include "harness/testee/answer.hpp"
#include "harness/testee/boundaries.hpp"
#include "harness/testee/connection_act.hpp"
#include "harness/testee/http_request.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/socket_peer.hpp"

namespace splitproof::testee {

/// Timeouts of the stand-in.
struct ConnectionTimeouts {
  std::chrono::milliseconds request{30'000};  ///< For the whole of a request, once it has begun.
  std::chrono::milliseconds idle{60'000};     ///< For the next request on a connection.
  std::chrono::milliseconds read{10'000};     ///< For the client to read a write, and to close at the end.
  std::chrono::milliseconds hold{60'000};     ///< For the release of a hold.
  std::chrono::milliseconds stall{60'000};    ///< For the client to give up on a stalled response.

  bool operator==(const ConnectionTimeouts&) const = default;
};

/// Idle connections that wait for a request, longest wait first. Thread-safe.
class IdleConnections {
 public:
  /// Registers a connection during its lifetime. `socket` must outlive it.
  class Wait {
   public:
    Wait(IdleConnections& idle, int socket);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    IdleConnections& idle_;
    std::list<int>::iterator place_;
  };

  /// Ends the connection that has waited longest. Returns false without one.
  bool end_longest();

 private:
  std::mutex mutex_;
  std::list<int> sockets_;
};

/// Number of bytes of all request bodies in progress, over all connections.
class BodiesUnderWay {
 public:
  static constexpr std::size_t kMost = std::size_t{64} << 20;

  /// The share of one request. Its destructor releases the share.
  class Share {
   public:
    explicit Share(BodiesUnderWay& all) : all_(all) {}
    ~Share() { all_.bytes_ -= bytes_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Sets its number of bytes. Returns false if the total is too large.
    bool grow_to(std::size_t bytes) {
      const std::size_t more = bytes - bytes_;
      bytes_ = bytes;
      return all_.bytes_.fetch_add(more) + more <= kMost;
    }

   private:
    BodiesUnderWay& all_;
    std::size_t bytes_ = 0;
  };

 private:
  std::atomic<std::size_t> bytes_ = 0;
};

/// State shared by all connections of one stand-in.
struct Service {
  RequestLimits limits;
  ConnectionTimeouts timeouts;
  const Network* network = &own_network();
  bool exact = false;                           ///< Read boundaries have been proven here.
  ResponseScript otherwise;                     ///< For requests without an answer; its holds are ignored.
  const dialect::SocketForm* socket = nullptr;  ///< Accepts WebSockets and speaks this; null: accepts none.
  Answers* answers = nullptr;
  IdleConnections* idle = nullptr;
  BodiesUnderWay* bodies = nullptr;
  /// Called when a response has ended, from the threads of the connections. The answer is null if none was
  /// prepared.
  std::function<void(PreparedAnswer*, Served)> record;
};

/// One connection of a client to the stand-in upstream. One thread plays it to its end.
class Connection {
 public:
  /// `service` and `stop` must outlive it.
  Connection(Descriptor socket, std::size_t number, const Service& service, const StopToken& stop);

  /// Answers requests until the connection ends or a stop is requested.
  void serve();

 private:
  std::optional<UpstreamRequest> next_request();
  ServingOutcome play(PreparedAnswer* answer, const ResponseScript& script, const WritePlan& plan,
                      Served& served);
  /// Performs the steps of an act. Returns true if the connection may carry another request.
  bool perform(PreparedAnswer& answer, const ConnectionSteps& steps, Served& served);
  Io flood(const PreparedAnswer& answer, const ConnectionStep& step, Served& served);
  ServingOutcome wait_at_hold(PreparedAnswer& answer, std::size_t n);
  ServingOutcome wait_out(const Pause& pause, const PreparedAnswer* answer);
  Io look_for_client();
  void end(const ResponseScript& script, bool finished);
  Io write(std::string_view bytes);
  Io wait_until_read(const PreparedAnswer* answer);
  ServingOutcome stall(const PreparedAnswer* answer);
  void linger();
  void serve_socket(const UpstreamRequest& handshake);
  void end_socket(const ResponseScript& script, bool finished);
  std::optional<std::string> next_message();
  void wait_for_pong();
  Io look_into_socket();
  ServingOutcome stall_socket(const PreparedAnswer* answer, const ResponseScript& script);

  Descriptor socket_;
  const std::size_t number_;
  const Service& service_;
  const StopToken& stop_;
  std::optional<PeerSocket> peer_;
  std::uint64_t sent_ = 0;  // bytes since the connection began
  std::string unread_;      // bytes after the last request
  std::optional<SocketPeer> socket_peer_;
};

}  // namespace splitproof::testee
