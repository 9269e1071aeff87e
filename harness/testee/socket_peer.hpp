#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/socket_form.hpp"
#include "harness/observe/websocket_frames.hpp"
#include "harness/testee/http_request.hpp"
#include "harness/testee/socket_event.hpp"

namespace splitproof::testee {

/// Returns the facts about faults of frames: side, `kind`, `section` of RFC 6455, `what` and `at`. `first` is the number of
/// faults that were reported before.
std::vector<SocketEvent> fault_events(const observe::WebSocketReader& reader, const char* side,
                                      std::size_t first = 0);

/// The testee's side of a WebSocket to the stand-in. It sends requests for answers, pings, pongs and the close.
class SocketPeer {
 public:
  /// `form` must outlive it. `most` limits the bytes of a message.
  SocketPeer(const dialect::SocketForm& form, const UpstreamRequest& handshake, std::size_t most);

  /// Takes received bytes.
  void take(std::string_view bytes);

  /// Returns the next message that asks for an answer.
  std::optional<std::string> next_message();

  /// Returns the frames that answer its pings and its close. They must not be sent inside of another frame.
  std::string take_replies();

  /// True if it has closed the connection, or no further frame can be read.
  bool is_over() const { return reader_.closed() || reader_.broken(); }

  /// Reports that this many pings were sent. Then it must send a pong.
  void expect_pongs(std::size_t pings) { pings_ += pings; }

  /// True if every ping that was sent is answered. A pong answers all pings before it (RFC 6455, 5.5.3).
  bool has_answered_pings() const { return pings_ == 0 || right_pongs_ > 0; }

  /// Returns the facts about the answer that ended: the handshake, new faults, and the pongs. A testee that did not read
  /// the whole answer may not have seen the pings.
  std::vector<SocketEvent> take_events(bool has_read_all);

 private:
  const dialect::SocketForm& form_;
  const SocketEvent handshake_;
  observe::WebSocketReader reader_;
  std::deque<std::string> messages_;
  std::string replies_;
  std::vector<SocketEvent> odd_;  // other messages
  std::size_t pings_ = 0;
  std::size_t right_pongs_ = 0;
  std::size_t wrong_pongs_ = 0;
  std::size_t told_ = 0;  // faults that were reported
};

}  // namespace splitproof::testee
