#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/result.hpp"
#include "harness/testee/connection_threads.hpp"
#include "harness/testee/http_request.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::record {

/// One client's connection. It belongs to one thread.
struct LocalConnection {
  Descriptor socket;
  const testee::StopToken& stop;
  std::string unread = {};  ///< Bytes after the request that is handled.

  /// Sends all bytes. Waits for a slow client as long as it takes. Returns false if it has left.
  bool send(std::string_view bytes);

  /// Ends the connection with a reset.
  void reset() { testee::reset(socket); }
};

/// Handles the requests of one connection, one after the other. Returns true if the connection may carry another.
using RequestHandler = std::function<bool(LocalConnection&, const testee::UpstreamRequest&)>;

/// Returns the recorder's own response: an error as JSON. `status` is 400, 426 or 502.
std::string refusal_text(int status, const std::string& message, bool keeps_alive = false);

/// Returns the response for a provider that cannot be reached. `detail` says why.
std::string unreachable_text(const std::string& detail, bool keeps_alive = false);

/// The recorder's side for clients: plain HTTP/1.1. Its end stops all connections.
class LocalServer {
 public:
  /// `make_handler` makes the handler of one connection, on its thread.
  static Result<std::unique_ptr<LocalServer>> start(const std::string& host, std::uint16_t port,
                                                    std::function<RequestHandler()> make_handler);

  /// Returns "http://127.0.0.1:40123".
  const std::string& base_url() const { return base_url_; }

  const testee::StopToken& stop_token() const { return threads_.stop_token(); }

 private:
  LocalServer(Descriptor listener, std::function<RequestHandler()> make_handler);

  std::string base_url_;
  testee::ConnectionThreads threads_;
};

}  // namespace splitproof::record
