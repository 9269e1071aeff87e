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

/// Time limits for the upstream.
struct UpstreamTimeouts {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds idle{300'000};  ///< without a byte, in either direction

  bool operator==(const UpstreamTimeouts&) const = default;
};

/// A request to the upstream: a POST of JSON.
struct UpstreamPost {
  std::string url;
  std::vector<std::string> headers;  ///< each as a line
  std::string body;
  std::string accepted;  ///< media type for the header `Accept`
};

/// The end of a transfer. `closed`: before the body was complete. `silent`: a timeout. `swollen`: the compressed body
/// unpacks to far more than its size. `garbled`: no HTTP/1.1 answer, or an unsupported compression. `unreachable`,
/// `unconnected`: no connection at all, or none in time.
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

/// One request to the upstream. Does not follow redirects, and requests no compression.
///
/// A request is repeated once on a new connection if the upstream closes a used connection within `kAtOnce` without any
/// byte, or answers `408 Request Timeout` there. Then the upstream was about to close it and has not begun to work. No
/// other request is repeated, because people pay for each answer.
class Transfer {
 public:
  static constexpr std::chrono::milliseconds kAtOnce{500};

  /// Begins. The loop calls `moved` after something has come or the transfer has ended. It must not destroy the
  /// transfer.
  Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, UpstreamPool& pool,
           std::function<void()> moved);

  /// Closes the connection of an incomplete answer. After a complete answer the pool has it already.
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Status of the response; 0 until its head is complete.
  int status() const;

  /// The header of that name; empty without it, if it is folded, or if it holds more than visible ASCII.
  const std::string& retry_after() const;

  /// Unread bytes of the body. Take them during `moved`: some 4 kB come at a time, or what they unpack to.
  std::string& body();

  /// Stops or resumes reading from the upstream.
  void pause(bool paused);

  /// None while the transfer runs. It comes no earlier than the last bytes of the body.
  std::optional<TransferEnd> end() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace splitproof::server
