#include "harness/observe/websocket_frames.hpp"

#include <algorithm>
#include <utility>

#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

constexpr std::size_t kMostOfControl = 125;
constexpr std::uint8_t kTwoBytes = 126;    // the length follows in two bytes
constexpr std::uint8_t kEightBytes = 127;  // in eight
constexpr std::uint64_t kFitsTwoBytes = 0xFFFF;
constexpr std::uint8_t kFinal = 0x80;
constexpr std::uint8_t kReserved = 0x70;
constexpr std::uint8_t kMasked = 0x80;
constexpr std::size_t kMaskSize = 4;

std::uint8_t byte_of(char c) { return static_cast<std::uint8_t>(c); }

bool is_control_code(std::uint8_t code) { return code >= static_cast<std::uint8_t>(Opcode::close); }

bool is_known_code(std::uint8_t code) { return code <= 2 || (code >= 8 && code <= 10); }

// The codes that an endpoint may send (RFC 6455, 7.4.1 and 7.4.2, and the registry of IANA).
bool may_be_sent(int code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

std::size_t length_size(std::uint8_t length) {
  return length == kTwoBytes ? 2 : length == kEightBytes ? 8 : 0;
}

}  // namespace

std::string_view name(FrameFault::Kind kind) {
  constexpr std::array<std::string_view, kFrameFaults> kNames{
      "reserved-bits", "opcode", "mask", "length", "control", "fragments", "close", "text", "after-close"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view section(FrameFault::Kind kind) {
  constexpr std::array<std::string_view, kFrameFaults> kSections{"5.2", "5.2", "5.1", "5.2",  "5.5",
                                                                 "5.4", "7.4", "5.6", "5.5.1"};
  return kSections[static_cast<std::size_t>(kind)];
}

void WebSocketReader::note(FrameFault::Kind kind, std::size_t at, std::string what) {
  const auto is_it = [&](const FrameFault& fault) { return fault.kind == kind; };
  if (std::none_of(faults_.begin(), faults_.end(), is_it)) faults_.push_back({kind, at, std::move(what)});
}

void WebSocketReader::feed(std::string_view bytes) {
  while (!bytes.empty() && state_ != State::broken) {
    if (closed_) {
      note(FrameFault::Kind::after_close, taken_, "bytes follow the close frame");
      break;
    }
    if (state_ == State::header) {
      if (header_.empty()) frame_begin_ = taken_;
      header_ += bytes.front();
      bytes.remove_prefix(1);
      ++taken_;
      if (read_header()) begin_frame();
      continue;
    }
    const std::size_t size = std::min<std::uint64_t>(bytes.size(), length_ - payload_.size());
    for (const char c : bytes.substr(0, size))
      payload_ += masked_ ? static_cast<char>(c ^ mask_[payload_.size() % kMaskSize]) : c;
    bytes.remove_prefix(size);
    taken_ += size;
    if (!is_control_code(code_)) data_bytes_ += size;
    if (payload_.size() == length_) end_frame();
  }
  taken_ += bytes.size();
}

// True if the header is complete.
bool WebSocketReader::read_header() {
  if (header_.size() < 2) return false;
  const std::uint8_t second = byte_of(header_[1]);
  const std::size_t extended = length_size(second & 0x7F);
  return header_.size() == 2 + extended + ((second & kMasked) != 0 ? kMaskSize : 0);
}

void WebSocketReader::begin_frame() {
  using Kind = FrameFault::Kind;
  const std::uint8_t first = byte_of(header_[0]);
  const std::uint8_t second = byte_of(header_[1]);
  final_ = (first & kFinal) != 0;
  code_ = first & 0x0F;
  masked_ = (second & kMasked) != 0;
  const std::size_t extended = length_size(second & 0x7F);
  length_ = extended == 0 ? second & 0x7F : 0;
  for (std::size_t i = 0; i < extended; ++i) length_ = length_ << 8 | byte_of(header_[2 + i]);
  if (masked_) std::copy_n(header_.end() - kMaskSize, kMaskSize, mask_.begin());
  header_.clear();
  payload_.clear();

  if ((first & kReserved) != 0)
    note(Kind::reserved_bits, frame_begin_,
         "reserved bits " + std::to_string((first & kReserved) >> 4) + " are set");
  if (!is_known_code(code_))
    note(Kind::opcode, frame_begin_, "opcode " + std::to_string(code_) + " is reserved");
  if (masked_ != (sender_ == FrameSender::client))
    note(Kind::mask, frame_begin_,
         masked_ ? "a frame of a server is masked" : "a frame of a client is not masked");
  const bool is_short_enough =
      (extended == 2 && length_ < kTwoBytes) || (extended == 8 && length_ <= kFitsTwoBytes);
  if (is_short_enough)
    note(Kind::length, frame_begin_,
         "the length " + std::to_string(length_) + " is in " + std::to_string(extended) + " more bytes");
  if (length_ >> 63 != 0) note(Kind::length, frame_begin_, "the highest bit of a length is set");
  if (is_control_code(code_) && length_ > kMostOfControl)
    note(Kind::control, frame_begin_, "a control frame has " + std::to_string(length_) + " bytes");
  if (is_control_code(code_) && !final_) note(Kind::control, frame_begin_, "a control frame is in fragments");
  const std::size_t before = message_ ? message_->payload.size() : 0;
  state_ = length_ > most_ - std::min(most_, before) ? State::broken : State::payload;
  if (state_ == State::payload && length_ == 0) end_frame();
}

void WebSocketReader::end_frame() {
  using Kind = FrameFault::Kind;
  state_ = State::header;
  if (!is_known_code(code_)) return;
  const auto opcode = static_cast<Opcode>(code_);
  if (is_control_code(code_)) return end_message({opcode, std::move(payload_), frame_begin_, taken_, 1});
  if (opcode == Opcode::continuation) {
    if (!message_) {
      note(Kind::fragments, frame_begin_, "a continuation continues no message");
      return;
    }
    message_->payload += payload_;
    ++message_->frames;
  } else {
    if (message_) note(Kind::fragments, frame_begin_, "a message begins before the previous one has ended");
    message_ = WebSocketMessage{opcode, std::move(payload_), frame_begin_, taken_, 1};
  }
  message_->end = taken_;
  if (!final_) return;
  WebSocketMessage whole = *std::move(message_);
  message_.reset();
  end_message(std::move(whole));
}

void WebSocketReader::end_message(WebSocketMessage message) {
  if (message.opcode == Opcode::text) {
    const std::size_t ill = find_ill_formed_utf8(message.payload);
    if (ill != std::string::npos)
      note(FrameFault::Kind::text, message.begin,
           "byte " + std::to_string(ill) + " of a text message is not UTF-8");
  }
  if (message.opcode == Opcode::close) read_close(message);
  ended_.push_back(std::move(message));
}

void WebSocketReader::read_close(const WebSocketMessage& message) {
  using Kind = FrameFault::Kind;
  if (message_) note(Kind::fragments, message.begin, "the close frame comes before the end of a message");
  if (closed_) return;
  closed_ = true;
  if (message.payload.empty()) return;
  if (message.payload.size() == 1) {
    note(Kind::close, message.begin, "a close frame has one byte");
    return;
  }
  close_code_ = byte_of(message.payload[0]) << 8 | byte_of(message.payload[1]);
  if (!may_be_sent(*close_code_))
    note(Kind::close, message.begin, "close code " + std::to_string(*close_code_) + " must not be sent");
  if (find_ill_formed_utf8(std::string_view(message.payload).substr(2)) != std::string_view::npos)
    note(Kind::close, message.begin, "the reason of a close frame is not UTF-8");
}

std::vector<WebSocketMessage> WebSocketReader::take() { return std::exchange(ended_, {}); }

std::string websocket_header(Opcode opcode, bool is_final, std::size_t size,
                             const std::optional<MaskKey>& mask) {
  std::string header;
  header += static_cast<char>((is_final ? kFinal : 0) | static_cast<std::uint8_t>(opcode));
  const std::size_t extended = size < kTwoBytes ? 0 : size <= kFitsTwoBytes ? 2 : 8;
  const std::size_t length = extended == 0 ? size : extended == 2 ? kTwoBytes : kEightBytes;
  header += static_cast<char>((mask ? kMasked : 0) | length);
  for (std::size_t i = extended; i > 0; --i)
    header += static_cast<char>(static_cast<std::uint64_t>(size) >> (8 * (i - 1)) & 0xFF);
  if (mask) header.append(mask->data(), mask->size());
  return header;
}

std::string websocket_frame(Opcode opcode, bool is_final, std::string_view payload,
                            const std::optional<MaskKey>& mask) {
  std::string bytes = websocket_header(opcode, is_final, payload.size(), mask);
  for (std::size_t i = 0; i < payload.size(); ++i)
    bytes += mask ? static_cast<char>(payload[i] ^ (*mask)[i % kMaskSize]) : payload[i];
  return bytes;
}

std::string close_payload(int code, std::string_view reason) {
  std::string payload;
  payload += static_cast<char>(code >> 8);
  payload += static_cast<char>(code & 0xFF);
  return payload.append(reason);
}

}  // namespace splitproof::observe
