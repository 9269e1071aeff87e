#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/result.hpp"
#include "harness/testee/connection_threads.hpp"
#include "harness/testee/http_request.hpp"

namespace splitproof::ui {

/// A request of a browser on this machine.
struct PageRequest {
  std::string method;
  std::string path;
  std::map<std::string, std::string> query;
  std::string body;
};

/// The response to a browser.
struct PageResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  bool inline_script = false;  ///< The page has its own policy and its script in itself.
};

/// True if a Host header names the server itself. Another name was resolved to this machine by a foreign page.
bool is_own_host(std::string_view host, std::uint16_t port);

/// True if an Origin header names the server itself, or if it is empty, as in a plain GET.
bool is_own_origin(std::string_view origin, std::uint16_t port);

/// Returns a target such as "/report?name=a%20b" in its parts. A wrong escape stays as it is.
PageRequest parse_target(std::string_view target);

/// Serves pages on 127.0.0.1, only to browsers on this machine. Refuses requests with a foreign Host or Origin. Its end waits
/// for the responses that are being made.
class PageServer {
 public:
  using Respond = std::function<PageResponse(const PageRequest& request)>;

  /// Starts at the port; 0: at a free one. Returns an Error if the port is taken. `respond` is called from several
  /// threads.
  static Result<std::unique_ptr<PageServer>> start(std::uint16_t port, Respond respond);

  /// Returns "http://127.0.0.1:8090".
  const std::string& address() const { return address_; }

 private:
  PageServer(std::uint16_t port, std::string address, Respond respond);
  void serve(const Descriptor& socket, const testee::StopToken& stop) const;
  PageResponse answer_to(const testee::UpstreamRequest& request) const;

  std::uint16_t port_;
  std::string address_;
  Respond respond_;
  std::optional<testee::ConnectionThreads> threads_;  // end first
};

}  // namespace splitproof::ui
