#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// The opcodes of RFC 6455, section 5.2.
enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// The sender of frames. A client masks its frames, a server does not (RFC 6455, 5.1).
enum class FrameSender : std::uint8_t { client, server };

/// A place where frames violate RFC 6455.
struct FrameFault {
  enum class Kind : std::uint8_t {
    reserved_bits,  ///< RSV1 to RSV3 are set without an extension (5.2).
    opcode,         ///< A reserved opcode (5.2).
    mask,           ///< A frame of a client without a mask, or of a server with one (5.1).
    length,         ///< A length in more bytes than it needs, or with the highest of 64 bits (5.2).
    control,        ///< A control frame with more than 125 bytes, or in fragments (5.5).
    fragments,      ///< A continuation without a beginning, or a message inside of another (5.4).
    close,  ///< A close frame with one byte, a code that must not be sent, or invalid text (5.5.1, 7.4).
    text,   ///< A text message that is not UTF-8 (5.6, 8.1).
    after_close,  ///< Bytes after a close frame (5.5.1).
  };
  Kind kind;
  std::size_t at = 0;  ///< Offset of the frame or byte since the handshake.
  std::string what;    ///< One clause with the received value.

  bool operator==(const FrameFault&) const = default;
};

/// Number of kinds of faults.
inline constexpr std::size_t kFrameFaults = static_cast<std::size_t>(FrameFault::Kind::after_close) + 1;

/// Returns the name of a kind ("reserved-bits", "mask", ...), and its section of RFC 6455 ("5.2").
std::string_view name(FrameFault::Kind kind);
std::string_view section(FrameFault::Kind kind);

/// A message without its frames: fragments joined and unmasked.
struct WebSocketMessage {
  Opcode opcode = Opcode::text;
  std::string payload;
  std::size_t begin = 0;   ///< First byte of its first frame, since the handshake.
  std::size_t end = 0;     ///< One past its last frame.
  std::size_t frames = 1;  ///< Number of its frames.

  bool operator==(const WebSocketMessage&) const = default;
};

/// Reads the frames of one side of a WebSocket (RFC 6455, section 5). It notes each kind of fault once, and reads on
/// wherever the frame still has a length. So the content of a faulty stream can be judged too. Only a length that
/// cannot be read, or is above the limit, ends the reading. The state depends only on the bytes and not on their
/// chunks.
class WebSocketReader {
 public:
  /// `most` limits the bytes of a message.
  WebSocketReader(FrameSender sender, std::size_t most) : sender_(sender), most_(most) {}

  /// Takes all of `bytes`.
  void feed(std::string_view bytes);

  /// Moves out the messages that ended since the last call, control frames included, in the order of their ends.
  std::vector<WebSocketMessage> take();

  /// Returns the first fault of each kind, in the order of detection.
  const std::vector<FrameFault>& faults() const { return faults_; }

  /// True if no further frame can be read.
  bool broken() const { return state_ == State::broken; }

  /// True after a close frame.
  bool closed() const { return closed_; }

  /// Returns the code of the close frame, or nullopt without a code (RFC 6455, 7.1.5).
  std::optional<int> close_code() const { return close_code_; }

  /// True if no frame and no message has begun that has not ended.
  bool between_messages() const { return state_ == State::header && header_.empty() && !message_; }

  /// Returns the payload bytes of text and binary frames so far.
  std::size_t data_bytes() const { return data_bytes_; }

  bool operator==(const WebSocketReader&) const = default;

 private:
  enum class State : std::uint8_t { header, payload, broken };

  bool read_header();
  void begin_frame();
  void end_frame();
  void end_message(WebSocketMessage message);
  void read_close(const WebSocketMessage& message);
  void note(FrameFault::Kind kind, std::size_t at, std::string what);

  FrameSender sender_;
  std::size_t most_;
  State state_ = State::header;
  std::size_t taken_ = 0;        // bytes so far
  std::size_t frame_begin_ = 0;  // of the current frame
  std::string header_;
  bool final_ = false;
  std::uint8_t code_ = 0;
  std::uint64_t length_ = 0;  // of the current payload
  bool masked_ = false;
  std::array<char, 4> mask_{};
  std::string payload_;                      // of the current frame, unmasked
  std::optional<WebSocketMessage> message_;  // in fragments, not ended
  bool closed_ = false;
  std::optional<int> close_code_;
  std::size_t data_bytes_ = 0;
  std::vector<FrameFault> faults_;
  std::vector<WebSocketMessage> ended_;
};

using MaskKey = std::array<char, 4>;

/// Returns the header of a frame: the shortest form of the length, and the mask if there is one.
std::string websocket_header(Opcode opcode, bool is_final, std::size_t size,
                             const std::optional<MaskKey>& mask = {});

/// Returns a whole frame.
std::string websocket_frame(Opcode opcode, bool is_final, std::string_view payload,
                            const std::optional<MaskKey>& mask = {});

/// Returns the payload of a close frame with a code and a reason.
std::string close_payload(int code, std::string_view reason = {});

}  // namespace splitproof::observe
