#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "proxy/server/request_head.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/upstream_call.hpp"

namespace splitproof::server {

/// The answers at each path. cpp-httplib selects the route and writes the answers. It gets complete, checked requests
/// and never sees a socket. Only this class's source uses that library.
class Routes {
 public:
  /// An answer as bytes for the wire, or the call to the upstream that comes first.
  struct Outcome {
    int status = 0;
    std::string answer;
    std::optional<UpstreamCall> call = {};
  };

  /// `settings` have to outlive this object.
  explicit Routes(const ServerSettings& settings);
  ~Routes();
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;

  /// True if `serve` reads the body of such a request. Other bodies are ignored.
  static bool wants_body(const RequestHead& head);

  /// `id`: of the request. `close`: the answer announces that the connection closes after it.
  Outcome serve(const RequestHead& head, const std::string& body, std::uint64_t id, bool close);

 private:
  struct Router;
  std::unique_ptr<Router> router_;
};

}  // namespace splitproof::server
