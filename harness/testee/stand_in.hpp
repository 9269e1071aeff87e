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
  std::uint16_t port = 0;                   ///< 0: the kernel chooses
  const Network* network = &own_network();  ///< must outlive the stand-in
  RequestLimits limits;
  ConnectionTimeouts timeouts;
  /// What requests get that no prepared answer is for; without it, status 501 and a JSON error.
  std::optional<ResponseScript> otherwise;
  /// Called when a response has ended, from threads of the stand-in, one at a time.
  std::function<void(const Served&)> on_served;
};

/// Plays the provider towards a proxy, over real sockets and without an HTTP library, so that every byte and every
/// boundary is the script's. Each connection has a thread. A request that is broken gets status 400, whatever was
/// prepared for it.
///
/// Where the kernel tells that the client has read a write (see PeerSocket), the next is made only then: each write is
/// one read, as long as the client offers room for it. Elsewhere the stand-in sleeps between writes, and says so.
///
/// There are at most kMostConnections. One more takes the place of the one that has waited longest for a request, and is
/// closed at once where none waits.
class StandIn {
 public:
  static constexpr std::size_t kMostConnections = 256;

  /// Listens, and proves read boundaries by a self-test.
  static Result<std::unique_ptr<StandIn>> start(StandInSettings settings);

  /// Ends every connection, by a reset where a response is under way, and joins all threads.
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  /// "http://127.0.0.1:40123"
  const std::string& base_url() const { return base_url_; }

  /// Why read boundaries are unproven; empty where they are exact. (`Served::exact` says it of one response: a client in
  /// another network namespace is not seen from here.)
  const std::string& unproven() const { return unproven_; }

  /// Lays an answer ready, as Answers says which request gets it.
  std::shared_ptr<PreparedAnswer> prepare(std::string token, ResponseScript script,
                                          std::optional<OtherResponse> other = {}) {
    return answers_.prepare(std::move(token), std::move(script), std::move(other));
  }

  /// Lays an act ready, as Answers says.
  std::shared_ptr<PreparedAnswer> prepare_act(std::string token, ResponseScript script, ConnectionAct act) {
    return answers_.prepare_act(std::move(token), std::move(script), std::move(act));
  }

  /// No further request gets this answer.
  void withdraw(const std::shared_ptr<PreparedAnswer>& answer) { answers_.withdraw(answer); }

  /// Requests that no prepared answer was for, the last kMostStrays of them, and no more than kMostOfStray of a body. Those
  /// that `otherwise` answers count too.
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
  mutable std::mutex mutex_;  // guards what follows
  std::list<Serving> serving_;
  std::vector<Served> strays_;
  std::mutex telling_;  // on_served is called under it
  std::thread accepting_;
};

}  // namespace splitproof::testee
