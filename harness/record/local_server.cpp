#include "harness/record/local_server.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/testee/websocket_handshake.hpp"
#include "harness/utf8.hpp"

namespace splitproof::record {
namespace {

using testee::Io;

constexpr std::chrono::hours kLong{1};
constexpr std::chrono::seconds kRequestTime{300};  // for a whole request after its first byte
constexpr std::size_t kMostConnections = 1024;

std::string_view reason_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 426:
      return "Upgrade Required";
    default:
      return "Bad Gateway";
  }
}

// Reads the next request. Returns false without one: the connection ends.
bool read_request(LocalConnection& connection, testee::RequestReader& reader) {
  std::string& unread = connection.unread;
  testee::Deadline deadline = testee::within(kLong);
  bool invited = false;
  while (true) {
    const bool had_begun = reader.begun();
    unread.erase(0, reader.feed(unread));
    if (reader.done()) return true;
    if (!had_begun && reader.begun()) deadline = testee::within(kRequestTime);
    if (!invited && reader.wants_continue()) {
      invited = true;
      if (!connection.send("HTTP/1.1 100 Continue\r\n\r\n")) return false;
    }
    const Io io = testee::receive(connection.socket.get(), unread, connection.stop, deadline);
    if (io == Io::done || (io == Io::late && !reader.begun())) continue;
    return false;
  }
}

// Handles the requests of one connection, one after the other.
void serve(LocalConnection connection, const RequestHandler& handle) {
  while (connection.socket.get() >= 0) {
    testee::RequestReader reader;
    if (!read_request(connection, reader)) return;
    const testee::UpstreamRequest& request = reader.request();
    if (!request.broken.empty()) {
      connection.send(refusal_text(400, "splitproof record cannot read the request: " + request.broken));
      return;
    }
    // A target without a path, such as "@other", would change the host of the provider's URL.
    if (!request.target.starts_with('/')) {
      connection.send(refusal_text(400, "splitproof record expects a request target that begins with /"));
      return;
    }
    if (testee::find_header(request.headers, "upgrade") != nullptr &&
        testee::has_token(request.headers, "connection", "upgrade") && !testee::asks_for_websocket(request)) {
      connection.send(refusal_text(426, "splitproof record records HTTP and WebSockets, no other protocol"));
      return;
    }
    if (!handle(connection, request) || !testee::keeps_alive(request)) return;
  }
}

}  // namespace

std::string refusal_text(int status, const std::string& message, bool keeps_alive) {
  const nlohmann::json error = {
      {"error", {{"type", "splitproof_record"}, {"message", decode_utf8(message)}}}};
  const std::string body = error.dump();
  return fmt::format("HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{}\r\n{}",
                     status, reason_of(status), body.size(), keeps_alive ? "" : "connection: close\r\n",
                     body);
}

std::string unreachable_text(const std::string& detail, bool keeps_alive) {
  return refusal_text(502, "splitproof record cannot reach the provider: " + detail, keeps_alive);
}

bool LocalConnection::send(std::string_view bytes) {
  // The deadline only bounds one wait: a client may be slow for hours.
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    const Io io = testee::wait_for(socket.get(), POLLOUT, stop, testee::within(kLong));
    if (io != Io::done && io != Io::late) return false;
  }
  return true;
}

LocalServer::LocalServer(Descriptor listener, std::function<RequestHandler()> make_handler)
    : base_url_("http://" + testee::local_address(listener.get())),
      threads_(std::move(listener), kMostConnections,
               [make_handler = std::move(make_handler)](Descriptor socket, const testee::StopToken& stop) {
                 serve({std::move(socket), stop}, make_handler());
               }) {}

Result<std::unique_ptr<LocalServer>> LocalServer::start(const std::string& host, std::uint16_t port,
                                                        std::function<RequestHandler()> make_handler) {
  auto listener = testee::listen_on(host, port);
  if (!listener) return tl::unexpected(listener.error());
  return std::unique_ptr<LocalServer>(new LocalServer(*std::move(listener), std::move(make_handler)));
}

}  // namespace splitproof::record
