#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proxy/server/event_loop.hpp"

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
/// compressed unpacks to far more than it came as. The last two: no connection came about, at all or in time.
enum class TransferEnd : std::uint8_t { complete, closed, reset, silent, swollen, unreachable, unconnected };

/// Must live in `main` while there are transfers, and before there are threads.
class TransferLibrary {
 public:
  TransferLibrary();
  ~TransferLibrary();
  TransferLibrary(const TransferLibrary&) = delete;
  TransferLibrary& operator=(const TransferLibrary&) = delete;
};

/// Drives the transfers of one loop, and keeps connections to the upstream that are open and idle for the next request to
/// take. It outlives its transfers.
class TransferPool final : EventLoop::Watcher {
 public:
  /// `idle`: how many connections to the upstream wait for the next request. `forward_proxy`: the URL of a proxy that all of them go
  /// through; empty: they go straight, whatever the environment says.
  TransferPool(EventLoop& loop, std::size_t idle, std::string forward_proxy);
  ~TransferPool() override;
  TransferPool(const TransferPool&) = delete;
  TransferPool& operator=(const TransferPool&) = delete;

 private:
  friend class Transfer;
  struct Library;  // what its callbacks are

  void ready(int descriptor, std::uint32_t events) override;
  void act(int descriptor, int events);
  void count(std::size_t transfers);

  EventLoop& loop_;
  EventLoop::Timer timer_;
  const std::string forward_proxy_;
  const std::size_t idle_;
  std::size_t transfers_ = 0;  // under way
  void* multi_;                // the library's: one for all transfers, so that they share connections
  std::vector<class Transfer*> moved_;
};

/// One request to the upstream. Redirects are not followed, and nothing is asked to be compressed. This file's source
/// alone knows the HTTP client library.
///
/// A request that goes out on an idle connection which the upstream closes meanwhile is sent once more, on a new
/// connection, unless a line of an answer has come. On a new connection nothing is sent twice.
class Transfer {
 public:
  /// Begins. `moved` is called from the loop once something has come or it has ended; it must not destroy the transfer.
  Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, TransferPool& pool,
           std::function<void()> moved);

  /// Gives up what is still under way: the connection is closed at once. That of a response that came to its proper end
  /// goes back to the pool.
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Of the response; 0 until its head has come.
  int status() const;

  /// The header of that name; empty without it, and where it is folded or holds more than ASCII.
  const std::string& retry_after() const;

  /// What came of the body and was not taken yet. Take it when `moved` is called: some 4 kB come at a time, or what
  /// these unpack to.
  std::string& body();

  /// Reads no more from the upstream until it is told to again.
  void pause(bool paused);

  /// None while it is under way. Comes no earlier than the last bytes of the body.
  std::optional<TransferEnd> end() const;

 private:
  friend class TransferPool;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace splitproof::server
