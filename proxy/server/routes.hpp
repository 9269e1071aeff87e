#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "proxy/server/request_head.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/upstream_call.hpp"

namespace splitproof::server {

/// What is answered at which path. cpp-httplib finds the way and writes the answers; it is given requests that are whole and
/// were checked, and never sees a socket. This file's source alone knows it.
class Routes {
 public:
  /// An answer as it goes over the wire, or what is to be asked of the upstream first.
  struct Outcome {
    int status = 0;
    std::string answer;
    std::optional<UpstreamCall> call = {};
  };

  /// `settings` have to outlive this.
  explicit Routes(const ServerSettings& settings);
  ~Routes();
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;

  /// The body is read for such a request; that of others means nothing.
  static bool wants_body(const RequestHead& head);

  /// `id`: of the request. `close`: the answer is to say that the connection is closed behind it.
  Outcome serve(const RequestHead& head, const std::string& body, std::uint64_t id, bool close);

 private:
  struct Router;
  std::unique_ptr<Router> router_;
};

}  // namespace splitproof::server
