#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "proxy/server/settings.hpp"

namespace splitproof::server {

/// The HTTP server: `POST` to the path of a client's protocol, and `GET /health`, which answers 200. Other requests get
/// an error of that protocol, and a WebSocket request gets 426. A few threads serve all connections.
///
/// If too many connections wait for a request, the one that has waited longest gives way.
///
/// Logs one line for each request to standard error: method, path without query, status, seconds, bytes sent. `cut`
/// marks an incomplete answer.
class HttpServer {
 public:
  /// Binds the address. Port 0 takes a free one. Connections queue from here on. The error is one sentence.
  static tl::expected<HttpServer, std::string> bind(const std::string& host, int port,
                                                    ServerSettings settings);

  HttpServer(HttpServer&&) noexcept;
  ~HttpServer();

  int port() const;

  /// Serves until `stop`. Returns after the last connection has ended.
  void run();

  /// True after `run` has returned.
  bool ended() const;

  /// Call it from another thread, during or just before `run`. On the first call, streams get `settings.shutdown` to
  /// finish and then end with an error. On the second call they end at once.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Returns the largest number of connections besides `streams`, for this many file descriptors. Zero: too few
/// descriptors.
std::size_t waiting_connections(std::size_t streams, std::size_t descriptors);

}  // namespace splitproof::server
