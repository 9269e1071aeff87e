#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proxy/dialect/socket.hpp"
#include "proxy/server/event_loop.hpp"
#include "proxy/server/upstream_channel.hpp"

namespace splitproof::server {

/// Time limits for the upstream.
struct UpstreamTimeouts {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds idle{300'000};  ///< Without a byte, in either direction.

  bool operator==(const UpstreamTimeouts&) const = default;
};

/// A request to the upstream: a POST of JSON, or the same request in a message of a WebSocket.
struct UpstreamPost {
  std::string url;
  std::vector<std::string> headers;  ///< Each as a line.
  std::string body;
  std::string accepted;                            ///< Media type for the header `Accept`.
  const proxy::dialect::Socket* socket = nullptr;  ///< If set, it goes over a WebSocket.
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

/// One request to the upstream and its answer. The loop calls a function of the user after something has come or the
/// exchange has ended. It must not destroy the exchange.
class UpstreamExchange {
 public:
  /// Closes the connection of an incomplete answer. After a complete answer the pool has it already.
  virtual ~UpstreamExchange() = default;

  /// Status of the response; 0 until its head is complete.
  virtual int status() const = 0;

  /// The header of that name; empty without it, if it is folded, or if it holds more than visible ASCII.
  virtual const std::string& retry_after() const = 0;

  /// Name of the error of an AWS service, under the same conditions.
  virtual const std::string& error_type() const = 0;

  /// Unread bytes of the body. Take them during `moved`: some 4 kB come at a time, or what they unpack to.
  virtual std::string& body() = 0;

  /// Stops or resumes reading from the upstream.
  virtual void pause(bool paused) = 0;

  /// None while the exchange runs. It comes no earlier than the last bytes of the body.
  virtual std::optional<TransferEnd> end() const = 0;
};

/// An exchange by HTTP. Does not follow redirects, and requests no compression.
///
/// A request is repeated once on a new connection if the upstream closes a used connection within `kAtOnce` without any
/// byte, or answers `408 Request Timeout` there. Then the upstream was about to close it and has not begun to work. No
/// other request is repeated, because people pay for each answer.
class Transfer final : public UpstreamExchange {
 public:
  static constexpr std::chrono::milliseconds kAtOnce{500};

  /// Begins. The loop calls `moved`.
  Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, UpstreamPool& pool,
           std::function<void()> moved);
  ~Transfer() override;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  int status() const override;
  const std::string& retry_after() const override;
  const std::string& error_type() const override;
  std::string& body() override;
  void pause(bool paused) override;
  std::optional<TransferEnd> end() const override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace splitproof::server
