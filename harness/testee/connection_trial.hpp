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

/// One client of a connection trial, and what the upstream does when its request comes.
struct TrialClient {
  ConnectionAct upstream;
  std::string leaves_at = {};  ///< the client leaves once its body holds this text; empty: it stays
  /// The act's waits are released once the client has ended, or after this time. With `late`, only when the clients of the
  /// next round have asked.
  std::chrono::milliseconds release_after{300};
  bool late = false;
};

/// Clients that ask one round after the other; those of one round ask at the same time.
struct ConnectionTrial {
  const recording::Recording* recording = nullptr;  ///< whose request every client sends
  std::vector<std::vector<TrialClient>> rounds;
  std::chrono::milliseconds settle{
      50};                  ///< after the first round, for the target to see what its upstream did
  std::size_t retries = 0;  ///< times that the last round is run again until all in it get an answer
  bool measures_memory = false;
};

/// One request of a client as it reached the upstream.
struct TrialCall {
  std::size_t connection = 0;  ///< 1, 2, ... as they were accepted
  std::size_t turn = 0;        ///< its place on that connection: 1, 2, ...
  std::size_t written = 0;     ///< bytes that the upstream sent from then on

  bool operator==(const TrialCall&) const = default;
};

/// What one client got. Evidence: it holds no verdict.
struct TrialReply {
  Ending ending = Ending::complete;
  std::string detail;
  int status = 0;  ///< 0: no head came
  std::string body;
  std::vector<TrialCall>
      calls;  ///< the POST requests that reached the upstream for it, in the order of their ends
};

struct TrialEvidence {
  std::vector<std::vector<TrialReply>> rounds;  ///< the last round as often as it was run
  /// Resident bytes of all of the target's processes: before the trial, and the most during it. None: not measured.
  std::optional<std::size_t> memory_before;
  std::optional<std::size_t> memory_most;
  std::string lost;  ///< why the trial could not be made; empty: it was
};

/// True if the client got a whole answer with a status of success.
bool is_served(const TrialReply& reply);

/// Resident bytes of all processes that descend from this one; none if the kernel does not tell.
std::optional<std::size_t> memory_of_descendants();

class StandIn;

/// What a trial needs of the target that is under test.
struct TrialGround {
  StandIn& upstream;
  bool passes_token = false;  ///< else any request is taken for that of the one client that asks
  std::function<std::string()> new_token;
  /// Sends a client's request with this token. `read` is called with all of the body whenever more of it came.
  std::function<TrialReply(const std::string& token, const StopToken& leave,
                           const std::function<void(std::string_view)>& read)>
      ask;
  const StopToken& stop;
};

/// Makes a trial. Rounds of several clients need a target that passes the token on.
TrialEvidence make_trial(const ConnectionTrial& trial, const TrialGround& ground);

}  // namespace splitproof::testee
