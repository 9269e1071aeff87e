#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/answer.hpp"
#include "harness/testee/connection.hpp"
#include "harness/testee/response_script.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

struct StandInSettings {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;                   ///< 0: the kernel chooses.
  const Network* network = &own_network();  ///< Must outlive the stand-in.
  RequestLimits limits;
  ConnectionTimeouts timeouts;
  const dialect::SocketForm* socket =
      nullptr;  ///< Also accepts WebSockets and speaks this; null: accepts none.
  /// Response for requests without a prepared answer. Without it: status 501 and a JSON error.
  std::optional<ResponseScript> otherwise;
  /// Called when a response has ended, from threads of the stand-in, one at a time.
  std::function<void(const Served&)> on_served;
};

/// Plays the provider for a proxy over real sockets, without an HTTP library. So the script determines every
/// byte and every boundary. Each connection has a thread. A broken request gets status 400, whatever was
/// prepared for it.
///
/// If the kernel reports that the client has read a write (PeerSocket), the next write follows only then. So
/// each write is one read, as long as the client has space for it. Otherwise the stand-in sleeps between
/// writes, and reports that.
///
/// There are at most kMostConnections. A further connection replaces the one that has waited longest for a
/// request. If none waits, it is closed at once.
class StandIn {
 public:
  static constexpr std::size_t kMostConnections = 256;

  /// Listens, and checks by a self-test that read boundaries are exact.
  static Result<std::unique_ptr<StandIn>> start(StandInSettings settings);

  /// Ends every connection, by a reset if a response is in progress, and joins all threads.
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  /// Returns "http://127.0.0.1:40123".
  const std::string& base_url() const { return base_url_; }

  /// Returns why read boundaries are unproven, or "" if they are exact. `Served::exact` reports it for one
  /// response, because a client in another network namespace is not visible from here.
  const std::string& unproven() const { return unproven_; }

  /// Prepares an answer. Answers defines which request gets it.
  std::shared_ptr<PreparedAnswer> prepare(std::string token, ResponseScript script,
                                          std::optional<OtherResponse> other = {}) {
    return answers_.prepare(std::move(token), std::move(script), std::move(other));
  }

  /// Prepares an act. Answers defines which request gets it.
  std::shared_ptr<PreparedAnswer> prepare_act(std::string token, ResponseScript script, ConnectionAct act) {
    return answers_.prepare_act(std::move(token), std::move(script), std::move(act));
  }

  /// Serves no further request with this answer.
  void withdraw(const std::shared_ptr<PreparedAnswer>& answer) { answers_.withdraw(answer); }

  /// Returns the last kMostStrays requests without a prepared answer, with at most kMostOfStray bytes of each
  /// body. Includes requests that `otherwise` answers.
  std::vector<Served> strays() const;
  static constexpr std::size_t kMostStrays = 256;
  static constexpr std::size_t kMostOfStray = std::size_t{64} << 10;

 private:
  StandIn(StandInSettings settings, Descriptor listener, std::string unproven);

  void accept_all();
  void join_finished();
  void record(PreparedAnswer* answer, Served served);

  struct Serving {
    std::thread thread;
    bool over = false;
  };

  const StandInSettings settings_;
  const std::string unproven_;
  Descriptor listener_;
  std::string base_url_;
  StopToken stop_;
  Service service_;
  Answers answers_;
  IdleConnections idle_;
  BodiesUnderWay bodies_;
  mutable std::mutex mutex_;  // guards the members below
  std::list<Serving> serving_;
  std::vector<Served> strays_;
  std::mutex telling_;  // held while on_served is called
  std::thread accepting_;
};

}  // namespace splitproof::testee
