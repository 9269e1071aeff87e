#pragma once

#include <chrono>
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

#include "harness/observe/frame_style.hpp"
#include "harness/observe/read_answer.hpp"
#include "harness/observe/read_event.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_message.hpp"
#include "harness/testee/socket_event.hpp"

namespace splitproof::coverage {
class Coverage;
}

namespace splitproof::testee {

class Copyable;
struct ConnectionTrial;
struct TrialEvidence;

/// A place in the upstream body at which it waits until the client got enough. This proves incremental
/// delivery without a clock.
struct Hold {
  std::size_t offset = 0;  ///< Offset of the held byte; the body's size: its end is held.
  std::function<bool(std::string_view downstream)> until;  ///< Called whenever the client has read more.
};

/// One upstream exchange of a testee: the pieces of the body in order, and its end. The later members apply
/// only to testees over HTTP; a testee in this process ignores them.
struct Exchange {
  std::vector<std::string_view> chunks;
  recording::End end = recording::End::complete;

  /// Source of the head of the upstream's response and of the client's request. null: status 200 and a short
  /// user turn.
  const recording::Recording* recording = nullptr;
  std::optional<int> status = {};  ///< The upstream's status instead; the body is then an error's JSON.
  /// JSON answer to calls without a stream. Empty: they get the stream.
  std::string in_one_piece = {};
  std::vector<Hold> holds = {};  ///< By increasing offset.
  /// Seconds before each chunk and before the end; empty: none. Programs behind a pipe wait too.
  std::vector<double> pauses = {};
  std::optional<std::size_t> leave_at =
      {};                           ///< The client leaves while the upstream holds this byte of its body.
  observe::FrameStyle frames = {};  ///< Frames of the upstream's messages, if the testee asks over WebSocket.

  std::string name = {};  ///< Case id for a Mishap; empty: none.
};

/// End of the exchange for the client.
enum class Ending : std::uint8_t {
  complete,     ///< The end of the answer that the transport defines.
  cut,          ///< The HTTP message itself broke: reset, no final chunk, a short body.
  left,         ///< The client left, as planned.
  hung,         ///< No byte came for the target's `timeout`, or the answer had no end.
  crashed,      ///< The testee's process ended, or refused the connection.
  garbage,      ///< Invalid transport: no HTTP, no line of the pipe protocol; or too many bytes.
  skipped,      ///< The testee skipped this case.
  unavailable,  ///< The testee could not be started, or not be restarted.
};

/// Returns "complete", "cut", "left", "hung", "crashed", "garbage", "skipped" or "unavailable".
std::string_view name(Ending ending);

/// Result of a hold.
struct Release {
  std::size_t offset = 0;      ///< As in the hold.
  bool met = false;            ///< The client got enough while the byte was held.
  std::size_t downstream = 0;  ///< Bytes of the client at the release.

  bool operator==(const Release&) const = default;
};

/// Everything that a testee did in one exchange. It is evidence without a verdict.
struct Observation {
  std::string request;  ///< Body of the client's request as it was sent; empty: not known.
  std::string body;     ///< Downstream bytes.
  std::vector<std::size_t>
      after_chunk;  ///< Number of downstream bytes after each upstream chunk; empty: unknown.
  Ending ending = Ending::complete;
  std::string detail;               ///< One sentence about an ending that is not `complete`.
  std::optional<HttpMessage> http;  ///< The downstream message, if any.
  std::vector<UpstreamCall>
      calls;  ///< Requests that the testee made, or would make, to its upstream for this exchange.
  std::vector<Release> releases;  ///< One for each hold that was reached.

  std::vector<SocketEvent> socket = {};  ///< Facts about its WebSockets; empty without any.

  /// Status of its answer to a WebSocket handshake, or 0 without an answer. nullopt if clients of its
  /// protocol make none.
  std::optional<int> upgrade;
};

/// A fault without a responsible exchange: it hit running exchanges, and none of these caused it again when
/// repeated alone.
struct UnattributedFailure {
  Ending ending = Ending::crashed;  ///< Crashed, hung or garbage.
  std::string how;                  ///< "exit code 3"; may be empty.
  std::string said;                 ///< Last standard error, in one line; may be empty.
  std::string exchange;             ///< Name of the first exchange that it hit.

  bool operator==(const UnattributedFailure&) const = default;
};

/// Properties of a testee that are known before it runs. Plans and judges need them.
struct Traits {
  std::string name;        ///< Name for `--target`.
  std::string client;      ///< Protocol that clients speak to it.
  std::string upstream;    ///< Protocol of its upstream.
  bool over_http = false;  ///< It has a status and headers, can be left, and calls its upstream itself.
  bool outside =
      false;  ///< It runs outside this process: it can crash and fall silent, and choose new ids and times
              ///< for each answer.
  std::vector<std::string> cannot = {};  ///< Features of recordings that it does not claim to support.
  std::string model = {};                ///< Model in requests; empty: the recording's.
  bool is_started_here = false;          ///< This program started it, so its processes descend from this one.
  std::size_t max_concurrency = std::numeric_limits<std::size_t>::max();  ///< Maximum concurrent exchanges.
  bool can_overlap = true;       ///< Concurrent exchanges can be distinguished.
  std::size_t instances = 1;     ///< Programs that share these exchanges.
  bool client_socket = false;    ///< Its clients speak to it over WebSocket.
  bool upstream_socket = false;  ///< It speaks to its upstream over WebSocket.
  bool continues = false;  ///< Of a client under test: it also makes the next request of the conversation.

  /// True if it reads event streams and reports the events (observe/read_event.hpp). It has no upstream of its own: the
  /// harness feeds it bodies of `upstream`, or of each protocol with event streams if that is kAnyStream.
  bool reads_events() const { return client == observe::kEventReader; }

  /// True if it reads a stream of `upstream` from a URL and reports the answer (observe/read_answer.hpp).
  bool reads_answer() const { return client == observe::kAnswerReader; }

  /// True if it is a client: it has no clients of its own.
  bool is_client() const { return reads_events() || reads_answer(); }

  /// True if it gets the upstream's answer from a socket, so the harness can withhold bytes and send error statuses.
  bool reads_socket() const { return over_http || reads_answer(); }

  /// True if it is tested with recordings of this protocol.
  bool takes(std::string_view protocol) const;

  bool operator==(const Traits&) const = default;
};

/// The upstream of a testee that reads event streams of every protocol.
inline constexpr std::string_view kAnyStream = "any";

/// The object under test, which translates one upstream protocol for clients of another.
class Testee {
 public:
  virtual ~Testee() = default;

  /// Only start() may change them.
  const Traits& traits() const { return traits_; }

  const std::string& name() const { return traits_.name; }
  const std::string& client() const { return traits_.client; }
  const std::string& upstream() const { return traits_.upstream; }

  /// True if it reports beforehand that it refuses this recording's client request. Then there is no answer
  /// to judge.
  virtual bool refuses(const recording::Recording& /*recording*/) const { return false; }

  /// Prepares it before the first exchange. An Error gives the reason why it cannot be tested.
  virtual Result<void> start() { return {}; }

  /// Returns its version, or "" if it is not known. Call it after start().
  virtual std::string version() const { return {}; }

  /// Returns a remark for reports on how it was tested, such as "boundaries unproven", or "".
  virtual std::string remark() const { return {}; }

  /// Returns its faults so far that no single exchange caused, in the order of detection. Excludes processes
  /// that the harness ended. Do not call it while exchanges run.
  virtual std::vector<UnattributedFailure> mishaps() const { return {}; }

  /// Returns its upstream request for this recording's client request, if it reports one outside an exchange.
  /// Sets `request`, and `calls`, or `http` and `body` of its refusal. Otherwise all of these are empty.
  virtual Observation asks(const recording::Recording& /*recording*/) const { return {}; }

  /// Runs a trial of its upstream connections while no exchange runs. Returns null if it is not reached over
  /// HTTP and has no such connections.
  virtual std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& /*trial*/) const {
    return nullptr;
  }

  /// Restarts it while no exchange runs. Does nothing if it runs in this process. If it fails, later
  /// exchanges are `unavailable`.
  virtual void start_over() const {}

  /// Limits the total time of exchanges that hang. Once it is spent, the testee waits only a moment for each byte, and an
  /// exchange that hangs is `skipped`. Does nothing if it runs in this process. Call it before the first exchange.
  virtual void limit_hangs(std::chrono::milliseconds /*total*/) {}

  /// Returns the instance for a series of exchanges that belong together, such as the cases of a recording. A target may
  /// keep a state between turns. The caller must release() it afterwards.
  virtual const Testee& claim() const { return *this; }
  virtual void release(const Testee& /*instance*/) const {}

  /// Returns its report of the places of its code that exchanges reached (coverage/coverage.hpp). Call it after start().
  virtual coverage::Coverage* coverage() const { return nullptr; }  ///< nullptr: it gives none.

  /// Returns this testee as one whose exchanges can be copied (copyable.hpp). nullptr: they cannot.
  virtual const Copyable* copyable() const { return nullptr; }

  /// Runs one exchange from the beginning. Called from at most `max_concurrency()` threads. Equal exchanges
  /// may give different observations only if the testee itself is not deterministic.
  virtual Observation observe(const Exchange& exchange) const = 0;

 protected:
  explicit Testee(Traits traits) : traits_(std::move(traits)) {}

  Traits traits_;
};

/// Claims an instance of a testee while it lives.
class InstanceClaim {
 public:
  explicit InstanceClaim(const Testee& testee) : testee_(testee), instance_(testee.claim()) {}
  ~InstanceClaim() { testee_.release(instance_); }
  InstanceClaim(const InstanceClaim&) = delete;
  InstanceClaim& operator=(const InstanceClaim&) = delete;

  const Testee& instance() const { return instance_; }

 private:
  const Testee& testee_;
  const Testee& instance_;
};

}  // namespace splitproof::testee
