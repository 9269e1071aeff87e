// Requests for an upgrade to a WebSocket that the proxy accepts or refuses.

#include <gtest/gtest.h>

#include <string>

#include "tests/proxy/server/served.hpp"
#include "tests/proxy/server/websocket_peer.hpp"

namespace splitproof::server::websocket_handshake_test {
namespace {

// Sends the head of a request and returns the answer.
Client ask_for_upgrade(const Served& served, const std::string& head) {
  Client client(served.proxy.port());
  client.socket().send(head);
  client.read_until([&] { return client.whole(); });
  return client;
}

TEST(WebSocket, BadHandshakesAreRefused) {
  const Served served;
  const auto without = [](const std::string& line) {
    std::string head = upgrade_request();
    const std::size_t at = head.find(line);
    EXPECT_NE(at, std::string::npos) << line;
    return head.erase(at, head.find("\r\n", at) + 2 - at);
  };
  EXPECT_EQ(ask_for_upgrade(served, without("Sec-WebSocket-Key")).status(), 400);
  EXPECT_EQ(ask_for_upgrade(served, without("Connection")).status(), 400);
  EXPECT_EQ(ask_for_upgrade(served,
                            upgrade_request(kSocketPath, "Sec-WebSocket-Key: " + std::string(kKey) + "\r\n"))
                .status(),
            400)
      << "two keys";
  EXPECT_EQ(ask_for_upgrade(served, upgrade_request(kSocketPath, "Content-Length: 1\r\n")).status(), 400);
  const Client version = ask_for_upgrade(served, without("Sec-WebSocket-Version"));
  EXPECT_EQ(version.status(), 426);
  EXPECT_EQ(version.header("sec-websocket-version"), "13");
  EXPECT_EQ(version.header("upgrade"), "websocket");
  EXPECT_EQ(ask_for_upgrade(served, upgrade_request("/v1/messages")).status(), 426);
  EXPECT_EQ(ask_for_upgrade(served, upgrade_request("/v1/elsewhere")).status(), 404);
  EXPECT_EQ(
      ask_for_upgrade(served, upgrade_request(kSocketPath, "Origin: https://evil.example\r\n")).status(),
      403);
  dial(served.proxy, "Origin: http://127.0.0.1\r\n");
  const Served refusing("websockets: refuse\n");
  EXPECT_EQ(ask_for_upgrade(refusing, upgrade_request()).status(), 426);
}

}  // namespace
}  // namespace splitproof::server::websocket_handshake_test
