#pragma once

#include <map>
#include <string>

namespace splitproof::testee {

/// A fact about a WebSocket of the testee. It is evidence without a verdict.
/// contracts/specifications/websocket.md lists the types and their members.
struct SocketEvent {
  std::string type;  ///< "handshake", "fault", "pong", "end" or "trial".
  std::map<std::string, std::string> members;

  bool operator==(const SocketEvent&) const = default;
};

}  // namespace splitproof::testee
