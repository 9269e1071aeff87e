#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proxy/server/event_loop.hpp"
#include "proxy/server/upstream_channel.hpp"

namespace splitproof::server {

/// How long the upstream may take.
struct UpstreamTimeouts {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds idle{300'000};  ///< without a byte, in either direction

  bool operator==(const UpstreamTimeouts&) const = default;
};

/// What is sent to the upstream: a POST of JSON.
struct UpstreamPost {
  std::string url;
  std::vector<std::string> headers;  ///< each as a line
  std::string body;
  std::string accepted;  ///< the media type of what is asked for
};

/// How a transfer ended. `closed`: before the body was whole. `silent`: nothing came for too long. `swollen`: what came
/// compressed unpacks to far more than it came as. `garbled`: what came is no answer by HTTP/1.1, or compressed in a way that
/// is not read. The last two: no connection came about, at all or in time.
enum class TransferEnd : std::uint8_t {
  complete,
  closed,
  reset,
  silent,
  swollen,
  garbled,
  unreachable,
  unconnected
};

/// One request to the upstream. Redirects are not followed, and nothing is asked to be compressed.
///
/// A request is sent once more, on a new connection, if the upstream closes a used connection within `kAtOnce` without a byte
/// of an answer, or says `408 Request Timeout` there: it was about to close that connection, and has not begun to work.
/// Nothing else is sent twice, because people pay for each answer.
class Transfer {
 public:
  static constexpr std::chrono::milliseconds kAtOnce{500};

  /// Begins. `moved` is called from the loop once something has come or it has ended; it must not destroy the transfer.
  Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, UpstreamPool& pool,
           std::function<void()> moved);

  /// Closes the connection if the answer is still under way. After a complete answer the pool has it back already.
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Of the response; 0 until its head has come.
  int status() const;

  /// The header of that name; empty without it, if it is folded, or if it holds more than visible ASCII.
  const std::string& retry_after() const;

  /// The bytes of the body that nobody has taken yet. Take them when `moved` is called: some 4 kB come at a time, or what
  /// these unpack to.
  std::string& body();

  /// Reads no more from the upstream until it is told to again.
  void pause(bool paused);

  /// None while it is under way. Comes no earlier than the last bytes of the body.
  std::optional<TransferEnd> end() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace splitproof::server
