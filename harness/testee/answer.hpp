#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/testee/connection_act.hpp"
#include "harness/testee/http_request.hpp"
#include "harness/testee/response_script.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/socket_event.hpp"

namespace splitproof::testee {

/// Outcome of a response.
enum class ServingOutcome : std::uint8_t {
  finished,      ///< The whole response was written, and ended as in the script.
  client_left,   ///< The client ended or broke the connection before.
  not_read,      ///< The client did not read in time.
  not_released,  ///< A hold was not released in time.
  stopped,       ///< The stand-in was stopped.
};

/// Returns "finished", "client left", "not read", "not released" or "stopped".
std::string_view name(ServingOutcome outcome);

/// One request to the stand-in upstream and the outcome of its response. It is evidence without a verdict.
struct Served {
  UpstreamRequest request;
  std::size_t connection = 0;  ///< Number of its connection, from 1, in the order of acceptance.
  std::size_t turn = 0;        ///< Its place on this connection, from 1.
  int status = 0;              ///< Status of the response.
  std::size_t written = 0;     ///< Bytes of the response.
  std::size_t writes = 0;
  ServingOutcome outcome = ServingOutcome::finished;
  bool exact = false;  ///< The kernel confirmed that each write was read before the next one.
  Deadline came;       ///< End of the request.
  Deadline ended;      ///< End of the response.
  std::vector<SocketEvent> socket = {};  ///< Facts about its WebSocket; empty without one.

  bool operator==(const Served&) const = default;
};

/// A different response for some of the requests, such as requests without a stream.
struct OtherResponse {
  ResponseScript script;
  std::function<bool(const UpstreamRequest&)> is_for;  ///< Called from any thread.
};

/// A prepared response, and the evidence of the requests that got it. Thread-safe.
class PreparedAnswer {
 public:
  PreparedAnswer(std::string token, ResponseScript script, std::optional<OtherResponse> other = {})
      : token_(std::move(token)), script_(std::move(script)), other_(std::move(other)) {}
  PreparedAnswer(std::string token, ResponseScript script, ConnectionAct act)
      : token_(std::move(token)), script_(std::move(script)), act_(std::move(act)) {}

  const std::string& token() const { return token_; }
  const ResponseScript& script_for(const UpstreamRequest& request) const {
    return other_ && other_->is_for(request) ? other_->script : script_;
  }

  /// Maximum number of calls that are kept, because a testee may call without end. The first calls are kept.
  /// keep_at_most() limits the bytes of their bodies.
  static constexpr std::size_t kMostCalls = 64;
  void keep_at_most(std::size_t bytes);

  /// Returns what exceeded these limits, in one clause, or "".
  std::string excess() const;
  /// Returns the act that every POST gets instead of the script, or nullopt.
  const std::optional<ConnectionAct>& act() const { return act_; }

  /// Releases the next hold of the script. Each call releases one hold, in order.
  void release();

  /// Waits until everything before the `n`-th hold, counted from 1, is written and, if boundaries are exact,
  /// read. Returns false after `wait`, or if the answer was given up.
  bool wait_for_hold(std::size_t n, std::chrono::milliseconds wait) const;

  /// Waits until `n` responses have ended. Returns false after `wait`.
  bool wait_until_served(std::size_t n, std::chrono::milliseconds wait) const;

  /// Returns the finished requests that were kept, in the order of their ends.
  std::vector<Served> served() const;

  /// Waits until no response is in progress. Returns false after `wait`.
  bool wait_until_idle(std::chrono::milliseconds wait) const;

  /// Returns the number of holds that were reached, released or not.
  std::size_t reached() const;

  /// Ends waiting responses as `stopped`, whether they wait at a hold, for the client to read, or in a stall.
  /// Also ends every wait_for_hold().
  void give_up();
  bool given_up() const;

  /// Begins a response and returns the number begun so far. Each ends with record(). Only the stand-in calls
  /// it.
  std::size_t begin();

  /// Reports that the `n`-th hold is reached, and waits up to `moment` for its release. Returns true if it
  /// came. Only the stand-in calls it.
  bool wait_at_hold(std::size_t n, std::chrono::milliseconds moment);

  /// Ends a response. Only the stand-in calls it.
  void record(Served served);

 private:
  const std::string token_;
  const ResponseScript script_;
  const std::optional<OtherResponse> other_;
  const std::optional<ConnectionAct> act_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::size_t begun_ = 0;  // responses
  bool given_up_ = false;
  std::size_t reached_ = 0;
  std::size_t released_ = 0;
  std::size_t ended_ = 0;  // responses
  std::size_t most_bytes_ = std::size_t{1} << 20;
  std::size_t kept_bytes_ = 0;  // bytes of the bodies in served_
  std::string excess_;
  std::vector<Served> served_;
};

/// Prepared answers, and their assignment to requests. A request gets the answer whose token occurs in its
/// target, a header's value or its body. The longest token wins. Otherwise it gets the next answer without a
/// token. An answer with a token serves all requests with the token, because a testee may retry. An answer
/// without a token serves once.
class Answers {
 public:
  std::shared_ptr<PreparedAnswer> prepare(std::string token, ResponseScript script,
                                          std::optional<OtherResponse> other = {});

  /// Prepares an act for every POST with the token. Any other request with the token gets `script`.
  std::shared_ptr<PreparedAnswer> prepare_act(std::string token, ResponseScript script, ConnectionAct act);

  /// Serves no further request with this answer.
  void withdraw(const std::shared_ptr<PreparedAnswer>& answer);

  /// Returns null without an answer. A broken request uses up no answer without a token.
  std::shared_ptr<PreparedAnswer> find(const UpstreamRequest& request);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<PreparedAnswer>> ready_;
};

}  // namespace splitproof::testee
