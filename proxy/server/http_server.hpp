#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "proxy/server/settings.hpp"

namespace splitproof::server {

/// The HTTP server: `POST` to the path of a client's protocol, and `GET /health`, which answers 200 once it listens.
/// Everything else is an error of that protocol; a request for a WebSocket is answered 426. A thread serves each connection, and all that lasts longer than a request is a count
/// of open streams.
///
/// Writes one line a request to standard error: method, path without its query, status, seconds, bytes sent, and
/// `cut` where the answer was not sent to its end. This file's source alone knows the HTTP server library.
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

  /// From another thread, once, while `run` runs or is about to. Streams under way end with an error, at once.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace splitproof::server
