#include "proxy/wire/websocket_frames.hpp"

#include <algorithm>

#include "proxy/wire/base64.hpp"
#include "proxy/wire/network_order.hpp"
#include "proxy/wire/sha1.hpp"
#include "proxy/wire/utf8.hpp"

namespace splitproof::wire {
namespace {

using Kind = WebSocketEvent::Kind;

constexpr unsigned kContinuation = 0x0;
constexpr unsigned kText = 0x1;
constexpr unsigned kBinary = 0x2;
constexpr unsigned kClose = 0x8;
constexpr unsigned kPing = 0x9;
constexpr unsigned kPong = 0xA;

constexpr std::size_t kMostControl = 125;  // bytes of a control frame's payload (RFC 6455, 5.5)
constexpr std::uint64_t kLength16 = 126;   // the length follows in two bytes
constexpr std::uint64_t kLength64 = 127;   // the length follows in eight bytes

unsigned octet_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// True for a code that a close frame may have (RFC 6455, 7.4.1 and 7.4.2, and IANA's registry).
bool is_close_code(std::uint64_t code) {
  if (code >= 3000 && code <= 4999) return true;
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

void append_frame(std::string& out, unsigned opcode, std::string_view payload, const WebSocketMask& mask) {
  const unsigned masked = mask ? 0x80U : 0U;
  out += static_cast<char>(0x80U | opcode);
  if (payload.size() <= kMostControl) {
    out += static_cast<char>(masked | payload.size());
  } else if (payload.size() <= 0xFFFF) {
    out += static_cast<char>(masked | kLength16);
    append_number(out, payload.size(), 2);
  } else {
    out += static_cast<char>(masked | kLength64);
    append_number(out, payload.size(), 8);
  }
  if (!mask) {
    out += payload;
    return;
  }
  out.append(mask->data(), mask->size());
  out.reserve(out.size() + payload.size());
  for (std::size_t i = 0; i < payload.size(); ++i)
    out += static_cast<char>(payload[i] ^ (*mask)[i % mask->size()]);
}

}  // namespace

bool Utf8Pieces::take(std::string_view piece) {
  for (const char c : piece) {
    const auto byte = static_cast<unsigned char>(c);
    if (left_ == 0) {
      if (byte < 0x80) continue;
      if (byte < 0xC2 || byte > 0xF4) return false;
      left_ = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
      // The second byte excludes overlong forms, surrogates, and values beyond U+10FFFF.
      low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
      high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
      continue;
    }
    if (byte < low_ || byte > high_) return false;
    low_ = 0x80;
    high_ = 0xBF;
    --left_;
  }
  return true;
}

void WebSocketReader::feed(std::string_view bytes, std::vector<WebSocketEvent>& events) {
  while (!bytes.empty() && !over_) {
    if (in_payload_)
      take_payload(bytes, events);
    else
      take_head(bytes, events);
  }
}

// Takes one byte of a head, and reads it when it is complete.
void WebSocketReader::take_head(std::string_view& bytes, std::vector<WebSocketEvent>& events) {
  head_ += bytes.front();
  bytes.remove_prefix(1);
  if (head_.size() < 2) {
    const unsigned first = octet_at(head_, 0);
    if ((first & 0x70U) != 0)
      return fail(WebSocketClose::protocol_error, "a frame has a reserved bit", events);
    last_ = (first & 0x80U) != 0;
    opcode_ = first & 0x0FU;
    return;
  }
  const unsigned second = octet_at(head_, 1);
  const std::uint64_t length = second & 0x7FU;
  const std::size_t more = length == kLength64 ? 8 : length == kLength16 ? 2 : 0;
  if (head_.size() == 2) {
    const bool known = opcode_ <= kBinary || (opcode_ >= kClose && opcode_ <= kPong);
    if (!known) return fail(WebSocketClose::protocol_error, "a frame has an unknown opcode", events);
    if (((second & 0x80U) != 0) != masked_)
      return fail(WebSocketClose::protocol_error, masked_ ? "a frame has no mask" : "a frame has a mask",
                  events);
    if (is_control() && !last_)
      return fail(WebSocketClose::protocol_error, "a control frame is fragmented", events);
    if (is_control() && length > kMostControl)
      return fail(WebSocketClose::protocol_error, "a control frame has more than 125 bytes", events);
    if (!is_control() && (opcode_ == kContinuation) != in_text_)
      return fail(WebSocketClose::protocol_error,
                  in_text_ ? "a message begins inside another one" : "a frame continues no message", events);
    if (opcode_ == kBinary) return fail(WebSocketClose::unsupported, "a message is binary", events);
  }
  if (head_.size() == 2 + more + (masked_ ? mask_.size() : 0)) read_head(events);
}

void WebSocketReader::read_head(std::vector<WebSocketEvent>& events) {
  const std::uint64_t length = octet_at(head_, 1) & 0x7FU;
  const std::size_t more = length == kLength64 ? 8 : length == kLength16 ? 2 : 0;
  left_ = more == 0 ? length : number_at(head_, 2, more);
  // RFC 6455, 5.2: the shortest form, and no sign bit.
  if ((more == 2 && left_ < kLength16) || (more == 8 && left_ <= 0xFFFF) || left_ >> 63U != 0)
    return fail(WebSocketClose::protocol_error, "the length of a frame is not in its shortest form", events);
  if (!is_control() && left_ > most_ - text_.size())
    return fail(WebSocketClose::too_large, "a message is larger than " + std::to_string(most_) + " bytes",
                events);
  if (masked_)
    std::copy_n(head_.end() - static_cast<std::ptrdiff_t>(mask_.size()), mask_.size(), mask_.begin());
  masked_so_far_ = 0;
  head_.clear();
  in_payload_ = true;
  if (!is_control()) in_text_ = true;
  if (left_ == 0) end_frame(events);
}

void WebSocketReader::take_payload(std::string_view& bytes, std::vector<WebSocketEvent>& events) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  std::string& into = is_control() ? control_ : text_;
  const std::size_t before = into.size();
  into.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  left_ -= size;
  if (masked_) {
    for (std::size_t i = before; i < into.size(); ++i)
      into[i] = static_cast<char>(into[i] ^ mask_[masked_so_far_++ % mask_.size()]);
  }
  if (!is_control()) {
    content_ += size;
    if (!utf8_.take(std::string_view(into).substr(before)))
      return fail(WebSocketClose::not_utf8, "a message is not UTF-8", events);
  }
  if (left_ == 0) end_frame(events);
}

void WebSocketReader::end_frame(std::vector<WebSocketEvent>& events) {
  in_payload_ = false;
  if (!is_control()) {
    if (!last_) return;
    if (!utf8_.complete()) return fail(WebSocketClose::not_utf8, "a message is not UTF-8", events);
    in_text_ = false;
    events.push_back({Kind::text, std::move(text_), 0});
    text_ = {};
    return;
  }
  if (opcode_ == kClose) return end_close(events);
  events.push_back({opcode_ == kPing ? Kind::ping : Kind::pong, std::move(control_), 0});
  control_ = {};
}

void WebSocketReader::end_close(std::vector<WebSocketEvent>& events) {
  if (control_.size() == 1)
    return fail(WebSocketClose::protocol_error, "a close frame has half a code", events);
  const auto no_code = static_cast<std::uint64_t>(WebSocketClose::no_code);
  const std::uint64_t code = control_.empty() ? no_code : number_at(control_, 0, 2);
  if (!control_.empty() && !is_close_code(code))
    return fail(WebSocketClose::protocol_error, "a close frame has a code that none may have", events);
  std::string reason = control_.substr(std::min<std::size_t>(2, control_.size()));
  if (!is_utf8(reason))
    return fail(WebSocketClose::not_utf8, "the reason of a close frame is not UTF-8", events);
  over_ = true;
  text_ = {};
  control_ = {};
  events.push_back({Kind::close, std::move(reason), static_cast<std::uint16_t>(code)});
}

void WebSocketReader::fail(WebSocketClose code, std::string_view what, std::vector<WebSocketEvent>& events) {
  over_ = true;
  head_ = {};
  text_ = {};
  control_ = {};
  events.push_back({Kind::fault, std::string(what), static_cast<std::uint16_t>(code)});
}

void append_text_frame(std::string& out, std::string_view text, const WebSocketMask& mask) {
  append_frame(out, kText, text, mask);
}

void append_ping_frame(std::string& out, std::string_view payload, const WebSocketMask& mask) {
  append_frame(out, kPing, payload.substr(0, kMostControl), mask);
}

void append_pong_frame(std::string& out, std::string_view payload, const WebSocketMask& mask) {
  append_frame(out, kPong, payload.substr(0, kMostControl), mask);
}

void append_close_frame(std::string& out, std::uint16_t code, std::string_view reason,
                        const WebSocketMask& mask) {
  reason = reason.substr(0, kMostControl - 2);
  while (!is_utf8(reason)) reason.remove_suffix(1);
  std::string payload;
  append_number(payload, code, 2);
  append_frame(out, kClose, payload.append(reason), mask);
}

std::uint16_t answer_to_close(std::uint16_t code) {
  const bool empty = code == static_cast<std::uint16_t>(WebSocketClose::no_code);
  return empty ? static_cast<std::uint16_t>(WebSocketClose::normal) : code;
}

std::string websocket_accept(std::string_view key) {
  constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  return to_base64(sha1(std::string(key).append(kGuid)));
}

}  // namespace splitproof::wire
