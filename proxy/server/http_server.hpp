#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "proxy/server/settings.hpp"

namespace splitproof::server {

/// The HTTP server: `POST` to the path of a client's protocol, and `GET /health`, which answers 200 once it listens.
/// Everything else is an error of that protocol; a request for a WebSocket is answered 426. A few threads serve all
/// connections, and all that lasts longer than a request is a count of open streams.
///
/// Of connections that wait for a request, the one that has waited longest gives way where there are too many.
///
/// Writes one line a request to standard error: method, path without its query, status, seconds, bytes sent, and
/// `cut` where the answer was not sent to its end.
class HttpServer {
 public:
  /// Binds the address; port 0 takes a free one. Connections wait from here on. The error is one sentence.
  static tl::expected<HttpServer, std::string> bind(const std::string& host, int port,
                                                    ServerSettings settings);

  HttpServer(HttpServer&&) noexcept;
  ~HttpServer();

  int port() const;

  /// Serves until `stop`, and returns when the last connection has ended.
  void run();

  /// `run` has returned.
  bool ended() const;

  /// From another thread, while `run` runs or is about to. The first time streams under way get `settings.shutdown`, and
  /// then end with an error; the second time they do so at once.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// How many connections there may be beside `streams`, with so many file descriptors as the process may have. Zero: too
/// few.
std::size_t waiting_connections(std::size_t streams, std::size_t descriptors);

}  // namespace splitproof::server
