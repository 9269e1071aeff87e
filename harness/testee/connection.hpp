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

#include "harness/testee/answer.hpp"
#include "harness/testee/boundaries.hpp"
#include "harness/testee/connection_act.hpp"
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

/// Connections that wait for a request of which nothing has come, the longest wait first. Any thread may use it.
class IdleConnections {
 public:
  /// Is among them as long as it lives. `socket` must outlive it.
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

  /// Ends the one that has waited longest. False where none waits.
  bool end_longest();

 private:
  std::mutex mutex_;
  std::list<int> sockets_;
};

/// Bytes of request bodies that are being read, of all connections together.
class BodiesUnderWay {
 public:
  static constexpr std::size_t kMost = std::size_t{64} << 20;

  /// The part of one request. It is given back with this value.
  class Share {
   public:
    explicit Share(BodiesUnderWay& all) : all_(all) {}
    ~Share() { all_.bytes_ -= bytes_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// It has this many bytes now. False where that is too much beside the others.
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

/// What all connections of one stand-in share.
struct Service {
  RequestLimits limits;
  ConnectionTimeouts timeouts;
  const Network* network = &own_network();
  bool exact = false;        ///< read boundaries have been proven here
  ResponseScript otherwise;  ///< for requests without an answer; its holds hold nothing
  Answers* answers = nullptr;
  IdleConnections* idle = nullptr;
  BodiesUnderWay* bodies = nullptr;
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
  /// Does the steps of an act, and returns true if the connection may carry another request.
  bool perform(PreparedAnswer& answer, const ConnectionSteps& steps, Served& served);
  Io flood(const PreparedAnswer& answer, const ConnectionStep& step, Served& served);
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
