#include "proxy/server/websocket_handshake.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

#include "proxy/server/upstream_call.hpp"
#include "proxy/server/web_page.hpp"
#include "proxy/wire/ascii.hpp"
#include "proxy/wire/base64.hpp"
#include "proxy/wire/websocket_frames.hpp"

namespace splitproof::server {
namespace {

constexpr std::string_view kSocketVersion = "13";  // RFC 6455, 4.1
constexpr std::size_t kKeyBytes = 16;

std::size_t fields_of(const RequestHead& head, std::string_view name) {
  return static_cast<std::size_t>(std::count_if(head.fields.begin(), head.fields.end(),
                                                [&](const auto& field) { return field.first == name; }));
}

bool lists(const RequestHead& head, std::string_view name, std::string_view token) {
  return std::any_of(head.fields.begin(), head.fields.end(), [&](const auto& field) {
    return field.first == name && has_token(field.second, token);
  });
}

WebSocketRefusal refused_upgrade(int status, std::string message, std::string fields = {}) {
  return {{status, std::move(message)}, std::move(fields)};
}

}  // namespace

bool asks_for_websocket(const RequestHead& head, const ServerSettings& settings) {
  if (head.method != "GET" || settings.websockets == WebSockets::refuse) return false;
  return lists(head, "upgrade", "websocket") && asks_for_answer(head.path, head.query) &&
         asker(head.path).socket != nullptr;
}

std::optional<WebSocketRefusal> refuse_websocket(const RequestHead& head, bool loopback) {
  if (head.old) return refused_upgrade(400, "an upgrade needs HTTP/1.1");
  if (head.has_body()) return refused_upgrade(400, "a request for an upgrade has no body");
  if (!lists(head, "connection", "upgrade"))
    return refused_upgrade(400, "the header 'Connection: Upgrade' is missing");
  if (fields_of(head, "sec-websocket-version") != 1 || head.field("sec-websocket-version") != kSocketVersion)
    return refused_upgrade(
        426, "the proxy speaks version 13 of the WebSocket protocol",
        fmt::format("Upgrade: websocket\r\nSec-WebSocket-Version: {}\r\n", kSocketVersion));
  const auto key = wire::from_base64(head.field("sec-websocket-key"));
  if (fields_of(head, "sec-websocket-key") != 1 || !key || key->size() != kKeyBytes)
    return refused_upgrade(400, "the header 'Sec-WebSocket-Key' has to be 16 bytes in base64, once");
  const std::string_view origin = head.field("origin");
  if (origin.empty()) return std::nullopt;
  const std::string host = wire::lowered(head.field("host"));
  if (wire::lowered(origin) != "http://" + host && wire::lowered(origin) != "https://" + host)
    return refused_upgrade(403, "a web page of another origin must not open a connection here");
  if (auto fault = refuse_page_host(head, loopback)) return WebSocketRefusal{*std::move(fault), {}};
  return std::nullopt;
}

std::string websocket_answer(const RequestHead& head) {
  return fmt::format(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: {}\r\n\r\n",
      wire::websocket_accept(head.field("sec-websocket-key")));
}

WebSocketOffer websocket_offer(const UpstreamAddress& address, const std::vector<std::string>& fields) {
  std::array<char, kKeyBytes> random{};
  // Cannot fail for so few bytes once the system has started.
  (void)getrandom(random.data(), random.size(), 0);
  const std::string key = wire::to_base64({random.data(), random.size()});
  WebSocketOffer offer;
  offer.request = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: splitproof-proxy\r\nUpgrade: websocket\r\n"
      "Connection: Upgrade\r\nSec-WebSocket-Version: {}\r\nSec-WebSocket-Key: {}\r\n",
      address.path, address.host, kSocketVersion, key);
  for (const std::string& field : fields) offer.request += field + "\r\n";
  offer.request += "\r\n";
  offer.accept = wire::websocket_accept(key);
  return offer;
}

bool accepts(const WebSocketOffer& offer, const SwitchedHead& head) {
  return wire::lowered(head.upgrade) == "websocket" && head.connection && !head.extras &&
         head.accept == offer.accept;
}

}  // namespace splitproof::server
