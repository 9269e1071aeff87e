#pragma once

#include "proxy/server/transfer.hpp"

namespace splitproof::server {

/// An exchange over a WebSocket. Each message of the upstream is an event of the body, which looks like an event stream.
/// An error in place of the first event has its own status.
///
/// The exchange is complete only after the last event of the answer. If the upstream closes before, it is `closed`.
/// Pings are answered, but they are no progress: an upstream that only sends pings is `silent`.
///
/// A connection serves one request after another, with the same head of the handshake, so also with the same key. A
/// request is repeated once on a new connection if a used connection ends within Transfer::kAtOnce without any event,
/// or reports only that it is too old.
///
/// An upstream that refuses the upgrade with status 426 gets the request by HTTP. Other refusals are the answer.
class WebSocketTransfer final : public UpstreamExchange {
 public:
  /// Begins. `most`: limit of a message in bytes. The loop calls `moved`.
  WebSocketTransfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, std::size_t most,
                    UpstreamPool& pool, std::function<void()> moved);
  ~WebSocketTransfer() override;
  WebSocketTransfer(const WebSocketTransfer&) = delete;
  WebSocketTransfer& operator=(const WebSocketTransfer&) = delete;

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
