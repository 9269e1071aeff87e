#include "harness/record/local_server.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <utility>

namespace splitproof::record {
namespace {

using testee::Io;

constexpr std::chrono::hours kLong{1};
constexpr std::chrono::seconds kRequestTime{300};  // for a whole request after its first byte
constexpr std::size_t kMostConnections = 1024;

std::string refusal(int status, std::string_view reason, const std::string& message) {
  const std::string body = R"({"error":{"type":"splitproof_record","message":")" + message + "\"}}";
  return "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason) +
         "\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Reads the next request. Returns false without one: the connection ends.
bool read_request(LocalConnection& connection, std::string& unread, testee::RequestReader& reader) {
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
  std::string unread;
  while (connection.socket.get() >= 0) {
    testee::RequestReader reader;
    if (!read_request(connection, unread, reader)) return;
    const testee::UpstreamRequest& request = reader.request();
    if (!request.broken.empty()) {
      connection.send(
          refusal(400, "Bad Request", "splitproof record cannot read the request: " + request.broken));
      return;
    }
    // A target without a path, such as "@other", would change the host of the provider's URL.
    if (!request.target.starts_with('/')) {
      connection.send(
          refusal(400, "Bad Request", "splitproof record expects a request target that begins with /"));
      return;
    }
    if (testee::find_header(request.headers, "upgrade") != nullptr &&
        testee::has_token(request.headers, "connection", "upgrade")) {
      connection.send(refusal(426, "Upgrade Required", "splitproof record records HTTP, no other protocol"));
      return;
    }
    if (!handle(connection, request) || !testee::keeps_alive(request)) return;
  }
}

}  // namespace

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
