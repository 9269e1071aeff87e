#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proxy/wire/websocket_frames.hpp"
#include "tests/proxy/server/proxy_process.hpp"
#include "tests/proxy/server/wire.hpp"

namespace splitproof::server {

inline constexpr const char* kSocketPath = "/v1/responses";
inline constexpr const char* kKey = "dGhlIHNhbXBsZSBub25jZQ==";  // of RFC 6455, 1.3

/// One side of a WebSocket.
class WebSocketPeer {
 public:
  WebSocketPeer(Socket socket, wire::WebSocketReader::Peer other, wire::WebSocketMask mask)
      : socket_(std::move(socket)), reader_(other, std::size_t{64} << 20), mask_(mask) {}

  const Socket& socket() const { return socket_; }
  void close() { socket_.close(); }
  void reset() { socket_.reset(); }

  bool text(const std::string& text) const {
    std::string bytes;
    wire::append_text_frame(bytes, text, mask_);
    return socket_.send(bytes);
  }

  bool ping(const std::string& payload) const {
    std::string bytes;
    wire::append_ping_frame(bytes, payload, mask_);
    return socket_.send(bytes);
  }

  bool farewell(std::uint16_t code) const {
    std::string bytes;
    wire::append_close_frame(bytes, code, "", mask_);
    return socket_.send(bytes);
  }

  /// Takes bytes that came with the handshake.
  void take(std::string_view bytes) {
    std::vector<wire::WebSocketEvent> events;
    reader_.feed(bytes, events);
    events_.insert(events_.end(), events.begin(), events.end());
  }

  /// Returns the next event; none at the end of the connection, or if nothing came in time.
  std::optional<wire::WebSocketEvent> next() {
    while (events_.empty()) {
      const std::string bytes = socket_.receive();
      if (bytes.empty()) return std::nullopt;
      take(bytes);
    }
    wire::WebSocketEvent event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

  /// Returns the next message, without pings and pongs; null if another event or nothing comes.
  nlohmann::json message() {
    for (;;) {
      const auto event = next();
      if (!event) return nullptr;
      if (event->kind == wire::WebSocketEvent::Kind::text) return nlohmann::json::parse(event->data);
      if (event->kind != wire::WebSocketEvent::Kind::ping && event->kind != wire::WebSocketEvent::Kind::pong)
        return nullptr;
    }
  }

  /// Returns the messages of an answer up to its last event.
  std::vector<nlohmann::json> answer() {
    std::vector<nlohmann::json> events;
    for (;;) {
      events.push_back(message());
      if (events.back().is_null()) return events;
      const std::string type = events.back()["type"];
      if (type == "response.completed" || type == "response.failed" || type == "response.incomplete" ||
          type == "error")
        return events;
    }
  }

 private:
  Socket socket_;
  wire::WebSocketReader reader_;
  wire::WebSocketMask mask_;
  std::deque<wire::WebSocketEvent> events_;
};

inline std::string upgrade_request(const std::string& path = kSocketPath, const std::string& more = {}) {
  return "GET " + path +
         " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n" +
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + kKey + "\r\n" + more + "\r\n";
}

/// Opens a WebSocket to the proxy.
inline WebSocketPeer dial(const ProxyProcess& proxy, const std::string& more = {}, int receive_buffer = 0) {
  Socket socket = Socket::to(proxy.port(), receive_buffer);
  socket.send(upgrade_request(kSocketPath, more));
  std::string bytes;
  while (bytes.find("\r\n\r\n") == std::string::npos) {
    const std::string received = socket.receive();
    if (received.empty()) break;
    bytes += received;
  }
  if (!bytes.starts_with("HTTP/1.1 101 ")) give_up("the proxy refused the upgrade");
  WebSocketPeer peer(std::move(socket), wire::WebSocketReader::Peer::server,
                     std::array<char, 4>{'\x01', '\x80', '\x7F', '\xFE'});
  peer.take(bytes.substr(bytes.find("\r\n\r\n") + 4));
  return peer;
}

/// The upstream's end of a WebSocket, and the head of the handshake.
struct UpstreamPeer {
  Request handshake;
  WebSocketPeer peer;
};

/// Accepts the next connection of the proxy and upgrades it. `more`: other lines of the head.
inline UpstreamPeer accept_socket(const Upstream& upstream, const std::string& more = {}) {
  UpstreamConnection connection = upstream.accept();
  Request request = connection.request();
  connection.send(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      wire::websocket_accept(request.headers["sec-websocket-key"]) + "\r\n" + more + "\r\n");
  return {std::move(request), WebSocketPeer(std::move(static_cast<Socket&>(connection)),
                                            wire::WebSocketReader::Peer::client, {})};
}

/// Returns a message with a request. `members` begin with a comma.
inline std::string create(const std::string& input, const std::string& members = {}) {
  return R"({"type":"response.create","model":"m","store":false,"input":[{"type":"message","role":"user","content":)" +
         nlohmann::json(input).dump() + "}]" + members + "}";
}

/// Returns `, "previous_response_id": ID` of an answer.
inline std::string after(const std::vector<nlohmann::json>& answer) {
  return ",\"previous_response_id\":" + answer.back()["response"]["id"].dump();
}

}  // namespace splitproof::server
