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
#include "harness/testee/websocket_client.hpp"

namespace splitproof::testee {

/// Timeouts of an exchange, in addition to the target's own timeout.
struct HttpTimeouts {
  HoldTimeouts holds;
  std::chrono::milliseconds leaving{5000};   ///< For the testee to leave its upstream after the client.
  std::chrono::milliseconds settling{1000};  ///< For the testee to finish with its upstream after its answer.
  std::chrono::milliseconds closing{100};    ///< For the testee to end the connection after its answer.
  std::chrono::milliseconds kept_open{2};    ///< The same, if it has kept every connection open so far.
};

/// A program behind HTTP, between a client and a stand-in upstream of the harness:
///
///     client (post) --- request with a token ---> testee --- request with the token ---> stand-in
///                  <--- what is observed --------        <--- the exchange's script ---
///
/// The token assigns an upstream request to its exchange, so that several can run at once. At the start, the harness
/// checks whether the testee passes it on. If not, every upstream request belongs to the only running exchange.
///
/// A testee that crashes is restarted and repeats the exchange alone. The exchange is the reason only if it crashes
/// again. A crash that no exchange causes again is a mishap. A testee that hangs repeats the exchange alone. Only if it
/// hangs again, it is stuck and restarted like a crashed one. A testee with an endless answer repeats it alone once. After
/// limit_hangs(), the full timeout is spent only on the first hangs.
class HttpTestee final : public Testee {
 public:
  /// `supervisor` and `stop` must outlive it. After a stop request, start() and restarts return an Error, and
  /// running exchanges are `unavailable`.
  HttpTestee(TargetFile file, Supervisor& supervisor, const StopToken& stop,
             const HttpTimeouts& timeouts = {});

  /// Starts the stand-in, installs and starts the target, waits until it is ready, and sends it one trial
  /// request.
  Result<void> start() override;

  std::string version() const override { return version_; }

  /// Reports its version, calls elsewhere, the reason for unproven boundaries, the reason for single
  /// exchanges, and the number of restarts.
  std::string remark() const override;

  std::vector<UnattributedFailure> mishaps() const override;

  std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& trial) const override;
  void start_over() const override;
  /// Also shortens a timeout that the target file does not set, so that the time is enough to prove a hang.
  void limit_hangs(std::chrono::milliseconds total) override;

  /// `after_chunk` stays empty. `calls` is empty if the testee answered without its upstream. The upstream's answer has
  /// an id of its own (answer_id.hpp).
  Observation observe(const Exchange& exchange) const override;

 private:
  Observation observe_as_given(const Exchange& exchange) const;
  Observation run_once(const Exchange& exchange, std::chrono::milliseconds silence,
                       bool* endless = nullptr) const;
  void settle(PreparedAnswer& answer, std::chrono::milliseconds wait) const;
  Observation run_again(const Exchange& exchange, std::size_t starts, const Observation& broken_off) const;
  bool ends_within(std::chrono::milliseconds time) const;
  Observation run_alone(const Exchange& exchange, std::size_t starts,
                        std::chrono::milliseconds silence) const;
  std::chrono::milliseconds patience() const;
  Observation retry_after_cooldown(const Exchange& exchange, std::size_t starts) const;
  void start_again(std::size_t starts) const;
  void restart() const;
  Observation unavailable() const;
  struct ExitReport {
    std::string how;   // "exit code 3"; empty: it still runs
    std::string said;  // last standard error, in one line
  };
  ExitReport farewell() const;
  bool is_stopped() const;
  void try_out();
  Result<void> set_up() const;
  bool is_gone() const;
  std::string new_token() const;
  Headers sent_headers() const;  // headers of a client's request, except content-type
  Reply send(const std::string& body, const Exchange& exchange, const ClientEvents& events,
             const StopToken& leave, std::chrono::milliseconds silence) const;
  std::vector<Reply> send_all_over_socket(const std::vector<std::string>& bodies,
                                          const SocketSending& sending, const Exchange& exchange,
                                          const ClientEvents& events, const StopToken& leave,
                                          const ClientTimeouts& timeouts) const;
  void try_sockets();
  std::vector<UpstreamCall> calls_of(const PreparedAnswer& answer, const Reply& reply,
                                     std::optional<Deadline> left) const;

  TargetFile file_;
  const HttpTimeouts timeouts_;
  std::chrono::milliseconds hang_limit_ = std::chrono::milliseconds::max();
  mutable std::atomic<std::chrono::milliseconds> hang_time_ = std::chrono::milliseconds(0);
  Supervisor& supervisor_;
  Supervisor* runs_on_;  // the supervisor that runs it
  const StopToken& stop_;
  std::unique_ptr<StandIn> stand_in_;
  std::unique_ptr<RunningTarget> target_;
  std::string version_;
  std::uint32_t salt_ = 0;  // makes tokens differ between runs, against caches in testees
  bool passes_token_ = false;
  std::string trial_;  // remark on the trial
  std::optional<int> upgrade_;
  std::vector<SocketEvent> socket_trials_;

  // Exchanges share `under_way_`, and a restart has it alone. Both take the turnstile first, so that a stream
  // of exchanges does not delay the restart.
  mutable std::mutex turnstile_;
  mutable std::shared_mutex under_way_;
  mutable HttpAddress address_;      // guarded by under_way_
  mutable std::size_t starts_ = 0;   // guarded by under_way_; number of restarts
  mutable std::string unavailable_;  // guarded by under_way_; why it could not be restarted
  mutable std::size_t slow_ = 0;     // guarded by under_way_; exchanges that hung only among others
  mutable std::size_t cooled_ = 0;   // guarded by under_way_; restarts that ended a cooldown
  mutable std::atomic<bool> may_cool_down_ = true;
  mutable std::map<std::size_t, UnattributedFailure>
      mishaps_;  // guarded by under_way_; by number of restarts
  mutable std::mutex last_mutex_;
  mutable std::string last_ended_;  // guarded by last_mutex_; name of the exchange that ended last
  mutable std::atomic<std::uint32_t> tokens_ = 0;
  mutable std::atomic<std::uint32_t> answers_ = 0;
  mutable std::atomic<bool> inexact_ = false;
  mutable std::atomic<std::size_t> kept_open_ = 0;  // successive connections that were kept open
};

}  // namespace splitproof::testee
