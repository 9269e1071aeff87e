#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/testee/http_request.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// A connection to a raw server, which can also misbehave.
class RawConnection {
 public:
  RawConnection(Descriptor socket, const StopToken& stop) : socket_(std::move(socket)), stop_(stop) {}

  /// Returns false if the client is gone.
  bool send(std::string_view bytes);

  /// End the connection in order, or by a reset.
  void close() { socket_.close(); }
  void reset() { testee::reset(socket_); }

  /// Waits until the client ends the connection, or the server is stopped. Returns false in the latter case.
  bool wait_for_end();

  int socket() const { return socket_.get(); }
  const StopToken& stop() const { return stop_; }

 private:
  Descriptor socket_;
  const StopToken& stop_;
};

/// A server for tests, good or bad: reads one request from each connection and passes it to `serve`, in a thread for
/// each.
class RawServer {
 public:
  using Serve = std::function<void(RawConnection&, const UpstreamRequest&)>;

  explicit RawServer(Serve serve, std::uint16_t port = 0);  ///< port 0: the kernel chooses
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  const std::string& base_url() const { return base_url_; }

  /// Returns the received requests.
  std::vector<UpstreamRequest> requests() const;

 private:
  void accept_all();

  Serve serve_;
  StopToken stop_;
  Descriptor listener_;
  std::string base_url_;
  mutable std::mutex mutex_;
  std::vector<UpstreamRequest> requests_;
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace splitproof::testee
