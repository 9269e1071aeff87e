#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/testee/connection_act.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// One client of a connection trial, and the upstream's act for its request.
struct TrialClient {
  ConnectionAct upstream;
  std::string leaves_at = {};  ///< The client leaves once its body contains this text; empty: it stays.
  /// Releases the act's waits after this time, or when the client has ended. With `late`, only when the
  /// clients of the next round have sent their requests.
  std::chrono::milliseconds release_after{300};
  bool late = false;
};

/// Clients in successive rounds. The clients of one round send their requests at the same time.
struct ConnectionTrial {
  const recording::Recording* recording = nullptr;  ///< Source of every client's request.
  std::vector<std::vector<TrialClient>> rounds;
  std::chrono::milliseconds settle{
      50};                  ///< Pause after the first round, for the target to notice its upstream's acts.
  std::size_t retries = 0;  ///< Maximum repetitions of the last round, until all its clients get an answer.
  bool measures_memory = false;
};

/// One request of a client as it reached the upstream.
struct TrialCall {
  std::size_t connection = 0;  ///< Number of its connection, from 1, in the order of acceptance.
  std::size_t turn = 0;        ///< Its place on this connection, from 1.
  std::size_t written = 0;     ///< Bytes that the upstream sent from then on.

  bool operator==(const TrialCall&) const = default;
};

/// The reply to one client. It is evidence without a verdict.
struct TrialReply {
  Ending ending = Ending::complete;
  std::string detail;
  int status = 0;  ///< 0: no head came.
  std::string body;
  std::vector<TrialCall> calls;  ///< Its POST requests that reached the upstream, in the order of their ends.
};

struct TrialEvidence {
  std::vector<std::vector<TrialReply>> rounds;  ///< Includes each repetition of the last round.
  /// Resident bytes of all of the target's processes: before the trial, and the maximum during it. nullopt:
  /// not measured.
  std::optional<std::size_t> memory_before;
  std::optional<std::size_t> memory_most;
  std::string lost;  ///< Why the trial was impossible; empty: it was possible.
};

/// True if the client got a complete answer with a success status.
bool is_served(const TrialReply& reply);

/// Returns the resident bytes of all processes that descend from this one, or nullopt if the kernel does not
/// report them.
std::optional<std::size_t> memory_of_descendants();

class StandIn;

/// Access of a trial to the target under test.
struct TrialGround {
  StandIn& upstream;
  bool passes_token = false;  ///< false: any request belongs to the only active client.
  std::function<std::string()> new_token;
  /// Sends a client's request with this token. Calls `read` with the whole body whenever more of it came.
  std::function<TrialReply(const std::string& token, const StopToken& leave,
                           const std::function<void(std::string_view)>& read)>
      ask;
  const StopToken& stop;
};

/// Runs a trial. Rounds of several clients need a target that passes on the token.
TrialEvidence make_trial(const ConnectionTrial& trial, const TrialGround& ground);

}  // namespace splitproof::testee
