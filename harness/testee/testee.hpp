#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_message.hpp"

namespace splitproof::testee {

struct ConnectionTrial;
struct TrialEvidence;

/// A place in the upstream body where it waits until the client has been told enough. That is how a delivery is proven
/// to be incremental without a look at the clock.
struct Hold {
  std::size_t offset = 0;  ///< the upstream's byte there is held back; its size: what ends the body
  std::function<bool(std::string_view downstream)> until;  ///< asked again whenever the client has read more
};

/// One upstream exchange as a testee gets it: the pieces of the body, in order, and how it ends. What only a testee
/// behind HTTP can be put through comes after these, and one in this process ignores it.
struct Exchange {
  std::vector<std::string_view> chunks;
  recording::End end = recording::End::complete;

  /// Head of the upstream's response and the client's request are this recording's; null: status 200 and a short user
  /// turn.
  const recording::Recording* recording = nullptr;
  std::optional<int> status = {};  ///< the upstream answers this instead, and the body is an error's JSON
  /// A call that asks for no stream is answered with this JSON; empty: with the stream all the same.
  std::string in_one_piece = {};
  std::vector<Hold> holds = {};  ///< by increasing offset
  std::optional<std::size_t> leave_at =
      {};  ///< the client leaves while the upstream holds this byte of its body back

  std::string name = {};  ///< by which a Mishap tells of it: a case id; empty: it has none
};

/// How the exchange ended for the client.
enum class Ending : std::uint8_t {
  complete,  ///< as the transport says that an answer is over
  cut,       ///< the HTTP message itself broke: reset, no final chunk, a short body
  left,      ///< the client left, as it was told to
  hung,      ///< no byte came for as long as the target's `timeout`, or the answer had no end
  crashed,   ///< the testee's process ended, or refused the connection
  garbage,  ///< what came is not of the transport: no HTTP, no line of the pipe protocol; or more than it may be
  skipped,      ///< the testee said that it does not do this case
  unavailable,  ///< the testee could not be started, or not be started again
};

/// "complete", "cut", "left", "hung", "crashed", "garbage", "skipped", "unavailable".
std::string_view name(Ending ending);

/// What became of a hold.
struct Release {
  std::size_t offset = 0;      ///< as in the hold
  bool met = false;            ///< the client was told enough while the byte was held back
  std::size_t downstream = 0;  ///< bytes the client had when it was released

  bool operator==(const Release&) const = default;
};

/// Everything a testee did on one exchange. Evidence: it holds no verdict.
struct Observation {
  std::string request;  ///< body of the client's request, as it was sent; empty: not known
  std::string body;     ///< downstream bytes
  std::vector<std::size_t>
      after_chunk;  ///< downstream bytes there were after each upstream chunk; empty: unknown
  Ending ending = Ending::complete;
  std::string detail;               ///< about an ending that is not `complete`: one sentence
  std::optional<HttpMessage> http;  ///< the downstream message, where there was one
  std::vector<UpstreamCall>
      calls;  ///< the requests that the testee made to its upstream for this exchange, or would make
  std::vector<Release> releases;  ///< one for each hold that was reached

  /// The status of its answer to a WebSocket handshake where it takes requests, 0 where none came; nothing where clients of
  /// its protocol make none.
  std::optional<int> upgrade;
};

/// A fault that no exchange can be blamed for: it befell some that were under way, and none of these brought it about
/// again when it was put through alone once more.
struct UnattributedFailure {
  Ending ending = Ending::crashed;  ///< crashed, hung or garbage
  std::string how;                  ///< "exit code 3"; may be empty
  std::string said;      ///< the last that the testee wrote to standard error, in one line; may be empty
  std::string exchange;  ///< name of the first that met with it

  bool operator==(const UnattributedFailure&) const = default;
};

/// The properties of a testee that are known before it runs. Plans and judges need them.
struct Traits {
  std::string name;        ///< as `--target` names it
  std::string client;      ///< protocol spoken to clients
  std::string upstream;    ///< protocol of its upstream
  bool over_http = false;  ///< it has a status and headers, can be left, and calls its upstream by itself
  bool outside =
      false;  ///< it runs outside this process: it can crash and fall silent, and choose ids and times anew for each answer
  std::vector<std::string> cannot = {};  ///< features of recordings that it does not claim
  std::string model = {};                ///< that it is asked for; empty: what a recording asks for
  bool is_started_here = false;  ///< this program started it, so what it runs descends from this process
  std::size_t max_concurrency =
      std::numeric_limits<std::size_t>::max();  ///< exchanges that it can be put through at once
  bool can_overlap = true;                      ///< exchanges that are under way at once could be told apart

  bool operator==(const Traits&) const = default;
};

/// What is being tested: translates one upstream protocol for clients of another.
class Testee {
 public:
  virtual ~Testee() = default;

  /// Only start() may change them.
  const Traits& traits() const { return traits_; }

  const std::string& name() const { return traits_.name; }
  const std::string& client() const { return traits_.client; }
  const std::string& upstream() const { return traits_.upstream; }

  /// Whether it says beforehand that it refuses what this recording's client asks for, so that there is no answer to judge.
  virtual bool refuses(const recording::Recording& /*recording*/) const { return false; }

  /// Makes it ready, before the first exchange. An Error says why it cannot be tested.
  virtual Result<void> start() { return {}; }

  /// What a report has to say about how it was tested, such as "boundaries unproven"; empty: nothing.
  virtual std::string remark() const { return {}; }

  /// What befell it so far without being the fault of one exchange, in the order in which it was noticed. What the
  /// harness itself ended is not among it. Not to be called while exchanges are under way.
  virtual std::vector<UnattributedFailure> mishaps() const { return {}; }

  /// What it asks of its upstream for the client's request of this recording, where it says so beside the exchange: the
  /// `request`, and the `calls`, or `http` and `body` of its refusal. Else all of these are empty.
  virtual Observation asks(const recording::Recording& /*recording*/) const { return {}; }

  /// Makes a trial of how it handles the connections to its upstream, while no exchange is under way. Null if it has no
  /// such connections: it is not reached over HTTP.
  virtual std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& /*trial*/) const {
    return nullptr;
  }

  /// Ends it and starts it again, while no exchange is under way; nothing if it runs in this process. Where that fails,
  /// what it is asked next is `unavailable`.
  virtual void start_over() const {}

  /// Runs one exchange from the beginning. Called from `max_concurrency()` threads at most; equal exchanges may give
  /// different observations only if the testee itself is not deterministic.
  virtual Observation observe(const Exchange& exchange) const = 0;

 protected:
  explicit Testee(Traits traits) : traits_(std::move(traits)) {}

  Traits traits_;
};

}  // namespace splitproof::testee
