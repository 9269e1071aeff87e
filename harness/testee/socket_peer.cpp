#include "harness/testee/socket_peer.hpp"

#include <utility>

#include "harness/testee/websocket_handshake.hpp"
#include "harness/testee/websocket_script.hpp"

namespace splitproof::testee {

using observe::FrameSender;
using observe::Opcode;
using observe::WebSocketMessage;
using observe::WebSocketReader;

std::vector<SocketEvent> fault_events(const WebSocketReader& reader, const char* side, std::size_t first) {
  std::vector<SocketEvent> events;
  for (std::size_t i = first; i < reader.faults().size(); ++i) {
    const observe::FrameFault& fault = reader.faults()[i];
    events.push_back({"fault",
                      {{"side", side},
                       {"kind", std::string(observe::name(fault.kind))},
                       {"section", std::string(observe::section(fault.kind))},
                       {"what", fault.what},
                       {"at", std::to_string(fault.at)}}});
  }
  return events;
}

SocketPeer::SocketPeer(const dialect::SocketForm& form, const UpstreamRequest& handshake, std::size_t most)
    : form_(form), handshake_(handshake_of_request(handshake)), reader_(FrameSender::client, most) {}

void SocketPeer::take(std::string_view bytes) {
  reader_.feed(bytes);
  for (WebSocketMessage& message : reader_.take()) {
    const auto odd = [&](const char* kind, const char* what) {
      odd_.push_back({"fault",
                      {{"side", "upstream"},
                       {"kind", kind},
                       {"section", "5.6"},
                       {"what", what},
                       {"at", std::to_string(message.begin)}}});
    };
    switch (message.opcode) {
      case Opcode::ping:
        replies_ += observe::websocket_frame(Opcode::pong, true, message.payload);
        break;
      case Opcode::pong:
        if (pings_ > 0) ++(message.payload == kPingOfScript ? right_pongs_ : wrong_pongs_);
        break;
      case Opcode::close:
        replies_ += observe::websocket_frame(Opcode::close, true, message.payload);
        break;
      case Opcode::binary:
        odd("binary", "a binary message");
        [[fallthrough]];
      default:
        if (form_.asked(message.payload)) {
          messages_.push_back(std::move(message.payload));
        } else {
          odd("event", "a message that is no request of the protocol");
        }
    }
  }
}

std::optional<std::string> SocketPeer::next_message() {
  if (messages_.empty()) return std::nullopt;
  std::string message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

std::string SocketPeer::take_replies() { return std::exchange(replies_, {}); }

std::vector<SocketEvent> SocketPeer::take_events(bool has_read_all) {
  std::vector<SocketEvent> events{handshake_};
  for (SocketEvent& fault : fault_events(reader_, "upstream", told_)) events.push_back(std::move(fault));
  told_ = reader_.faults().size();
  for (SocketEvent& event : odd_) events.push_back(std::move(event));
  odd_.clear();
  if (pings_ > 0 && (has_read_all || right_pongs_ > 0)) {
    const char* answered = right_pongs_ > 0 ? "yes" : wrong_pongs_ > 0 ? "other" : "no";
    events.push_back({"pong", {{"side", "upstream"}, {"answered", answered}}});
  }
  pings_ = right_pongs_ = wrong_pongs_ = 0;
  return events;
}

}  // namespace splitproof::testee
