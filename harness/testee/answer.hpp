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

namespace splitproof::testee {

/// How the playing of a response ended.
enum class ServingOutcome : std::uint8_t {
  finished,      ///< all of it was written, and it ended as the script says
  client_left,   ///< the client ended or broke the connection before that
  not_read,      ///< the client did not read on in time
  not_released,  ///< a hold was not released in time
  stopped,       ///< the stand-in was stopped
};

/// "finished", "client left", "not read", "not released", "stopped".
std::string_view name(ServingOutcome outcome);

/// One request to the stand-in upstream, and what became of its response. Evidence: it holds no verdict.
struct Served {
  UpstreamRequest request;
  std::size_t connection = 0;  ///< that it came on: 1, 2, ... as they were accepted
  std::size_t turn = 0;        ///< its place on that connection: 1, 2, ...
  int status = 0;              ///< of the response
  std::size_t written = 0;     ///< bytes of the response
  std::size_t writes = 0;
  ServingOutcome outcome = ServingOutcome::finished;
  bool exact =
      false;       ///< the client's machine confirmed that each write was read before the next one was made
  Deadline came;   ///< when the request was complete
  Deadline ended;  ///< when the response was

  bool operator==(const Served&) const = default;
};

/// Another response for some of the requests, such as those that ask for no stream.
struct OtherResponse {
  ResponseScript script;
  std::function<bool(const UpstreamRequest&)> is_for;  ///< called by any thread
};

/// A response that lies ready for a request, and the evidence of the requests that got it. Any thread may use it.
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

  /// Of more calls, or more bytes of their bodies, none is kept: a testee may ask without an end. The first calls are.
  static constexpr std::size_t kMostCalls = 64;
  void keep_at_most(std::size_t bytes);

  /// What was too much for that, in one clause; empty: nothing.
  std::string excess() const;
  /// What every POST gets instead of the script; none: the script.
  const std::optional<ConnectionAct>& act() const { return act_; }

  /// Lets what the next hold of the script keeps back be written; each call releases one hold, in their order.
  void release();

  /// Waits until everything before the `n`-th hold, counted from 1, is written and, where boundaries are proven, read.
  /// False where that did not come within `wait`, or was given up.
  bool wait_for_hold(std::size_t n, std::chrono::milliseconds wait) const;

  /// Waits until `n` responses have ended. False where that did not come within `wait`.
  bool wait_until_served(std::size_t n, std::chrono::milliseconds wait) const;

  /// The requests whose responses have ended and that are kept, in the order of their ends.
  std::vector<Served> served() const;

  /// Waits until no response is under way. False where that did not come within `wait`.
  bool wait_until_idle(std::chrono::milliseconds wait) const;

  /// How many holds have been reached, released or not.
  std::size_t reached() const;

  /// Nobody is interested in it any more: responses under way end as `stopped` where they wait, be it at a hold, for the
  /// client to read or for the end of a stall, and so does every wait_for_hold().
  void give_up();
  bool given_up() const;

  /// For who plays the script: a response begins. Returns how many have begun by now. Each ends with record().
  std::size_t begin();

  /// For who plays the script: the `n`-th hold is reached; waits a moment for its release and says whether it came.
  bool wait_at_hold(std::size_t n, std::chrono::milliseconds moment);

  /// For who plays the script: a response has ended.
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
  std::size_t kept_bytes_ = 0;  // of the bodies in served_
  std::string excess_;
  std::vector<Served> served_;
};

/// The answers that lie ready, and which request gets which: the one whose token occurs in the request's target, in
/// a header's value or in the body, the longest where several do; else the next in line of those without a token. An
/// answer with a token serves every request that bears it, since a testee may try again; one in line serves once.
class Answers {
 public:
  std::shared_ptr<PreparedAnswer> prepare(std::string token, ResponseScript script,
                                          std::optional<OtherResponse> other = {});

  /// Lays an act ready for every POST that bears the token; any other request that bears it gets `script`.
  std::shared_ptr<PreparedAnswer> prepare_act(std::string token, ResponseScript script, ConnectionAct act);

  /// No further request gets this answer.
  void withdraw(const std::shared_ptr<PreparedAnswer>& answer);

  /// Null where there is none. A broken request takes nobody's place in line.
  std::shared_ptr<PreparedAnswer> find(const UpstreamRequest& request);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<PreparedAnswer>> ready_;
};

}  // namespace splitproof::testee
