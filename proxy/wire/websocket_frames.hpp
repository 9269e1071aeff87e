#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::wire {

/// Close codes of RFC 6455, 7.4.1, that this program sends. `overloaded` is in IANA's registry.
enum class WebSocketClose : std::uint16_t {
  normal = 1000,
  going_away = 1001,
  protocol_error = 1002,
  unsupported = 1003,  ///< A binary message.
  no_code = 1005,      ///< Never sent: the peer's close frame was empty.
  not_utf8 = 1007,
  policy = 1008,
  too_large = 1009,
  failure = 1011,
  overloaded = 1013
};

/// What a peer has sent, without fragments and masks.
struct WebSocketEvent {
  enum class Kind : std::uint8_t { text, ping, pong, close, fault };

  Kind kind = Kind::text;
  std::string data;  ///< A message, the payload of a ping or pong, the reason of a close, or what is wrong.
  std::uint16_t code = 0;  ///< Of a close, or for the close frame that answers a fault.

  bool operator==(const WebSocketEvent&) const = default;
};

/// Checks UTF-8 (RFC 3629) that comes in pieces. It finds an error at the first wrong byte, as RFC 6455, 8.1 allows.
class Utf8Pieces {
 public:
  /// Returns false if the text so far cannot begin a valid text.
  bool take(std::string_view piece);

  /// True if no character is incomplete.
  bool complete() const { return left_ == 0; }

  bool operator==(const Utf8Pieces&) const = default;

 private:
  unsigned left_ = 0;  // bytes that the current character lacks
  unsigned char low_ = 0x80;
  unsigned char high_ = 0xBF;  // bounds of its next byte
};

/// Reads the frames of one peer by RFC 6455, section 5, with no extension. Only text messages are accepted.
///
/// The events depend only on the bytes, not on their chunks. After a close or a fault it ignores all bytes.
class WebSocketReader {
 public:
  enum class Peer : std::uint8_t { client, server };  ///< Clients mask every frame, servers none (5.1).

  /// `most`: limit of a message in bytes.
  WebSocketReader(Peer peer, std::size_t most) : masked_(peer == Peer::client), most_(most) {}

  /// Takes bytes and appends the events that they complete.
  void feed(std::string_view bytes, std::vector<WebSocketEvent>& events);

  /// Bytes of messages that have come so far. Control frames do not count.
  std::size_t content() const { return content_; }

  /// Bytes held of an incomplete message.
  std::size_t held() const { return text_.size(); }

  /// True after a close or a fault.
  bool over() const { return over_; }

  /// True inside a frame or a fragmented message.
  bool inside() const { return !over_ && (in_text_ || !head_.empty() || in_payload_); }

  bool operator==(const WebSocketReader&) const = default;

 private:
  void take_head(std::string_view& bytes, std::vector<WebSocketEvent>& events);
  void take_payload(std::string_view& bytes, std::vector<WebSocketEvent>& events);
  void read_head(std::vector<WebSocketEvent>& events);
  void end_frame(std::vector<WebSocketEvent>& events);
  void end_close(std::vector<WebSocketEvent>& events);
  void fail(WebSocketClose code, std::string_view what, std::vector<WebSocketEvent>& events);
  bool is_control() const { return opcode_ >= 8; }

  bool masked_;
  std::size_t most_;
  std::string head_;  // of the current frame, while it is incomplete
  bool in_payload_ = false;
  bool last_ = false;  // FIN of the current frame
  unsigned opcode_ = 0;
  std::uint64_t left_ = 0;  // bytes that the payload lacks
  std::array<char, 4> mask_{};
  std::size_t masked_so_far_ = 0;
  bool in_text_ = false;  // a fragmented message has begun
  std::string text_;
  std::string control_;
  Utf8Pieces utf8_;
  std::size_t content_ = 0;
  bool over_ = false;
};

/// A masking key. A client takes a new one from a good random source for each frame (RFC 6455, 5.3).
using WebSocketMask = std::optional<std::array<char, 4>>;

/// Appends a text message in one frame.
void append_text_frame(std::string& out, std::string_view text, const WebSocketMask& mask = {});

/// Append control frames. A payload is cut at 125 bytes (5.5), a reason between two characters.
void append_ping_frame(std::string& out, std::string_view payload, const WebSocketMask& mask = {});
void append_pong_frame(std::string& out, std::string_view payload, const WebSocketMask& mask = {});
void append_close_frame(std::string& out, std::uint16_t code, std::string_view reason,
                        const WebSocketMask& mask = {});

/// Returns the code that answers a close frame: the same, or 1000 for an empty one (5.5.1).
std::uint16_t answer_to_close(std::uint16_t code);

/// Returns the value of `Sec-WebSocket-Accept` for a key (4.2.2).
std::string websocket_accept(std::string_view key);

}  // namespace splitproof::wire
