#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/hold_watch.hpp"
#include "harness/testee/http_client.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/running_target.hpp"
#include "harness/testee/stand_in.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// How long an exchange waits for what, beside the target's own timeout.
struct HttpTimeouts {
  HoldTimeouts holds;
  std::chrono::milliseconds leaving{5000};  ///< for the testee to leave its upstream once the client has left
  std::chrono::milliseconds settling{
      1000};  ///< for the testee to have done with its upstream, once it has answered
  std::chrono::milliseconds closing{100};  ///< for the testee to end the connection after its answer
  std::chrono::milliseconds kept_open{2};  ///< the same, of one that has kept every connection open so far
};

/// A program behind HTTP, between a client and a stand-in upstream, both of which are ours:
///
///     client (post) --- request with a token ---> testee --- request with the token ---> stand-in
///                  <--- what is observed --------        <--- the exchange's script ---
///
/// The token tells which exchange an upstream request belongs to, so that several can be under way at once. It is found
/// out at the start whether the testee passes it on; where it does not, every upstream request gets the answer of the one
/// exchange that is under way.
///
/// A testee that crashes is started anew and goes through the exchange again, alone; only if that crashes too is it the
/// exchange that did it. A crash that none of the exchanges which it broke off brings about again is a mishap. One that
/// hangs is asked once more, alone: only if it hangs then too is it stuck, and started anew as one that crashed. One whose
/// answer goes on without an end is asked once more alone too, and then no more.
class HttpTestee final : public Testee {
 public:
  /// `supervisor` and `stop` must outlive it. When `stop` is requested, start() and starting anew end with an Error, and
  /// exchanges that are under way are `unavailable`.
  HttpTestee(TargetFile file, Supervisor& supervisor, const StopToken& stop,
             const HttpTimeouts& timeouts = {});

  /// Starts the stand-in, installs and starts the target, waits until it is ready and sends it one request on trial.
  Result<void> start() override;

  /// Its version, whether it called elsewhere, why boundaries are unproven, why exchanges go one at a time, how often it had to be started anew.
  std::string remark() const override;

  std::vector<UnattributedFailure> mishaps() const override;

  std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& trial) const override;
  void start_over() const override;

  /// `after_chunk` stays empty. `calls` is empty where the testee answered without its upstream.
  Observation observe(const Exchange& exchange) const override;

 private:
  Observation run_once(const Exchange& exchange, bool* endless = nullptr) const;
  void settle(PreparedAnswer& answer, std::chrono::milliseconds wait) const;
  Observation run_again(const Exchange& exchange, std::size_t starts) const;
  Observation run_alone(const Exchange& exchange, std::size_t starts) const;
  Observation retry_after_cooldown(const Exchange& exchange, std::size_t starts) const;
  void start_again(std::size_t starts) const;
  void restart() const;
  Observation unavailable() const;
  struct ExitReport {
    std::string how;   // "exit code 3"; empty: it runs on
    std::string said;  // to standard error, in one line
  };
  ExitReport farewell() const;
  bool is_stopped() const;
  void try_out();
  Result<void> set_up() const;
  bool is_gone() const;
  std::string new_token() const;
  Headers sent_headers() const;  // of a client's request, beside content-type
  Reply send(const std::string& body, const Exchange& exchange, const ClientEvents& events,
             const StopToken& leave) const;
  std::vector<UpstreamCall> calls_of(const PreparedAnswer& answer, const Reply& reply,
                                     std::optional<Deadline> left) const;

  const TargetFile file_;
  const HttpTimeouts timeouts_;
  Supervisor& supervisor_;
  Supervisor* runs_on_;  // which runs it
  const StopToken& stop_;
  std::unique_ptr<StandIn> stand_in_;
  std::unique_ptr<RunningTarget> target_;
  std::string version_;
  std::uint32_t salt_ = 0;  // tokens differ from run to run, lest a testee answer from a cache
  bool passes_token_ = false;
  std::string trial_;  // what is to be said of it
  std::optional<int> upgrade_;

  // Exchanges share `under_way_`, and whoever starts the target anew has it alone. Both pass the turnstile first, so that
  // a stream of exchanges does not keep the restart waiting.
  mutable std::mutex turnstile_;
  mutable std::shared_mutex under_way_;
  mutable HttpAddress address_;      // guarded by under_way_
  mutable std::size_t starts_ = 0;   // guarded by under_way_; how often it was started anew
  mutable std::string unavailable_;  // guarded by under_way_; why it could not be started again
  mutable std::size_t slow_ = 0;     // guarded by under_way_; exchanges that hung but for others
  mutable std::size_t cooled_ = 0;   // guarded by under_way_; starts after which it called its upstream again
  mutable std::atomic<bool> may_cool_down_ = true;
  mutable std::map<std::size_t, UnattributedFailure>
      mishaps_;  // guarded by under_way_; by how often it had been started
  mutable std::atomic<std::uint32_t> tokens_ = 0;
  mutable std::atomic<bool> inexact_ = false;
  mutable std::atomic<std::size_t> kept_open_ = 0;  // connections that were not ended, one after the other
};

}  // namespace splitproof::testee
