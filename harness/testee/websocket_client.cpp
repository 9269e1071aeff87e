#include "harness/testee/websocket_client.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "harness/testee/message_reader.hpp"
#include "harness/testee/socket_peer.hpp"
#include "harness/testee/websocket_handshake.hpp"
#include "harness/testee/websocket_script.hpp"

namespace splitproof::testee {
namespace {

using observe::FrameStyle;
using observe::Opcode;
using observe::WebSocketMessage;

constexpr std::size_t kRoomOfSocket = 65536;
constexpr int kSwitching = 101;
constexpr int kNormal = 1000;
constexpr int kGoingAway = 1001;
constexpr const char* kKeyOfClient = "c3BsaXRwcm9vZiBhc2tzIQ==";  // 16 bytes: "splitproof asks!"

std::string handshake_bytes(const HttpAddress& to, const Post& what) {
  const bool v6 = to.host.find(':') != std::string::npos;
  std::string bytes = "GET " + to.prefix + what.path + " HTTP/1.1\r\n";
  bytes += "host: " + (v6 ? "[" + to.host + "]" : to.host) + ":" + std::to_string(to.port) + "\r\n";
  bytes += "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ";
  bytes.append(kKeyOfClient).append("\r\n");
  for (const Header& header : what.headers) {
    const bool is_of_handshake = same_name(header.name, "content-type") ||
                                 same_name(header.name, "connection") || same_name(header.name, "upgrade") ||
                                 same_name(header.name, "sec-websocket-key") ||
                                 same_name(header.name, "sec-websocket-version");
    if (!is_of_handshake) bytes += header.name + ": " + header.value + "\r\n";
  }
  return bytes + "\r\n";
}

// Returns the mask of the next frame. Each frame has another one (RFC 6455, 5.3).
observe::MaskKey next_mask(observe::MaskKey& mask) {
  for (char& c : mask) c = static_cast<char>(c * 5 + 1);
  return mask;
}

// Returns the frames of a message of the client.
std::string framed(std::string message, const SocketSending& sending, observe::MaskKey& mask) {
  const FrameStyle& style = sending.frames;
  if (style.kind == FrameStyle::Kind::sized && message.size() < style.size) message.resize(style.size, ' ');
  const auto ping = [&] {
    return observe::websocket_frame(Opcode::ping, true, kPingOfScript, next_mask(mask));
  };
  std::string bytes = style.kind == FrameStyle::Kind::pings ? ping() : "";
  const std::vector<std::string_view> fragments = observe::fragments_of(message, style);
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    if (style.kind == FrameStyle::Kind::between && i > 0) bytes += ping();
    bytes += observe::websocket_frame(i == 0 ? Opcode::text : Opcode::continuation, i + 1 == fragments.size(),
                                      fragments[i], next_mask(mask));
  }
  return bytes;
}

std::string how_long(std::chrono::milliseconds time) { return std::to_string(time.count()) + " ms"; }

// One WebSocket of a client, after its connection was made.
class SocketConversation {
 public:
  SocketConversation(int socket, const Post& what, const dialect::SocketForm& form,
                     const SocketSending& sending, const ClientTimeouts& timeouts, const ClientEvents& events,
                     const StopToken& leave)
      : socket_(socket),
        what_(what),
        form_(form),
        sending_(sending),
        timeouts_(timeouts),
        events_(events),
        leave_(leave),
        reader_(observe::FrameSender::server, what.most_of_answer) {}

  std::vector<Reply> hold(const HttpAddress& to, const std::vector<std::string>& more) {
    begin_reply();
    if (send(handshake_bytes(to, what_)) && accept_handshake()) {
      ask(what_.body);
      for (const std::string& body : more) {
        if (!is_complete_) break;
        begin_reply();
        ask(body);
      }
      close();
    }
    return std::move(replies_);
  }

 private:
  Reply& reply() { return replies_.back(); }

  void begin_reply() {
    replies_.emplace_back().sent = last_ = std::chrono::steady_clock::now();
    is_complete_ = false;
  }

  void end(Ending ending, std::string detail = {}) {
    reply().ending = ending;
    reply().detail = std::move(detail);
  }

  bool send(std::string_view bytes) {
    const Io io = send_all(socket_, bytes, leave_, within(timeouts_.silence));
    if (io == Io::done || io == Io::gone) return true;  // its answer still counts
    end(io == Io::stopped ? Ending::left : Ending::hung,
        io == Io::late ? "the target does not read the request" : "");
    return false;
  }

  Deadline give_up_at() const {
    Deadline since = last_;
    if (events_.excused) since = std::max(since, events_.excused());
    return std::min(since + timeouts_.silence, replies_.back().sent + timeouts_.whole);
  }

  // Receives some bytes. Returns false if the reply has ended.
  bool receive_some(std::string& bytes) {
    while (true) {
      const Io io = wait_for(socket_, POLLIN, leave_, give_up_at());
      const Deadline now = std::chrono::steady_clock::now();
      if (io == Io::stopped) return end(Ending::left), false;
      if (now >= reply().sent + timeouts_.whole) {
        reply().endless = true;
        return end(Ending::hung, "the answer did not end within " + how_long(timeouts_.whole)), false;
      }
      if (now >= give_up_at())
        return end(Ending::hung, "no event arrived for " + how_long(timeouts_.silence)), false;
      if (io == Io::late) continue;
      const ssize_t got = recv(socket_, room_.data(), room_.size(), 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) return is_gone_ = true, is_reset_ = got < 0, false;
      bytes.assign(room_.data(), static_cast<std::size_t>(got));
      return true;
    }
  }

  // Reads the answer to the handshake. Returns false if it is a refusal, which is the reply.
  bool accept_handshake() {
    std::string head;
    std::string bytes;
    MessageReader refusal(what_.most_of_answer);
    while (head.find("\r\n\r\n") == head.npos && head.size() < MessageReader::kMostHead) {
      if (!receive_some(bytes)) break;
      last_ = std::chrono::steady_clock::now();
      head += bytes;
    }
    const std::size_t end_of_head = head.find("\r\n\r\n");
    if (!head.starts_with("HTTP/1.1 101") || end_of_head == head.npos) return read_refusal(refusal, head);
    // The same head as a final response, so that the strict reader reads its fields.
    refusal.feed("HTTP/1.1 204" + head.substr(std::string_view("HTTP/1.1 101").size(), end_of_head + 4 - 12),
                 0);
    const std::optional<HttpMessage> message = refusal.message();
    facts_.push_back(handshake_of_response(kSwitching, message ? message->headers : Headers(), kKeyOfClient));
    take(std::string_view(head).substr(end_of_head + 4));
    return true;
  }

  bool read_refusal(MessageReader& refusal, const std::string& head) {
    const auto at = [this] { return seconds(reply().sent, std::chrono::steady_clock::now()); };
    refusal.feed(head, at());
    std::string bytes;
    while (!refusal.over() && !refusal.broken() && !is_gone_ && receive_some(bytes)) {
      last_ = std::chrono::steady_clock::now();
      refusal.feed(bytes, at());
    }
    if (is_gone_) refusal.finish(is_reset_, at());
    reply().http = refusal.message();
    reply().body = refusal.body();
    if (refusal.over() || is_gone_) end(refusal.ending(), refusal.detail());
    facts_.push_back(handshake_of_response(reply().http ? reply().http->status : 0,
                                           reply().http ? reply().http->headers : Headers(), kKeyOfClient));
    reply().socket = std::move(facts_);
    return false;
  }

  // Sends a request, and reads until the last event of its answer.
  void ask(const std::string& body) {
    const std::string bytes = framed(form_.asking(body), sending_, mask_);
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = sending_.in_bytes ? 1 : bytes.size();
      if (!send(std::string_view(bytes).substr(at, size))) return;
      at += size;
    }
    std::string received;
    while (!is_complete_ && !is_over()) {
      if (receive_some(received)) {
        take(received);
      } else if (!is_gone_) {
        return;  // it hangs, or the client leaves
      }
    }
    if (!is_complete_) end_without_last_event();
  }

  bool is_over() const { return is_gone_ || reader_.closed() || reader_.broken(); }

  void end_without_last_event() {
    if (reader_.broken()) return end(Ending::cut, "a frame has no readable length, or too many bytes");
    if (!reader_.closed())
      return end(Ending::cut,
                 is_reset_ ? "the connection was reset" : "the connection ended without a close frame");
    const int code = reader_.close_code().value_or(kNormal);
    if (code != kNormal && code != kGoingAway)
      end(Ending::cut, "the connection was closed with code " + std::to_string(code));
  }

  void take(std::string_view bytes) {
    const std::size_t data = reader_.data_bytes();
    reader_.feed(bytes);
    for (const WebSocketMessage& message : reader_.take()) take(message);
    if (reader_.data_bytes() > data) last_ = std::chrono::steady_clock::now();
  }

  void take(const WebSocketMessage& message) {
    switch (message.opcode) {
      case Opcode::ping:
        send(observe::websocket_frame(Opcode::pong, true, message.payload, next_mask(mask_)));
        return;
      case Opcode::pong:
        has_pong_ = true;
        return;
      case Opcode::close:
        return;
      case Opcode::binary:
        note_odd("binary", "a binary message", message.begin);
        break;
      default:
        if (!form_.is_event(message.payload)) note_odd("event", "a message that is no event", message.begin);
    }
    reply().body += form_.event_of(message.payload);
    is_complete_ = is_complete_ || form_.ends_answer(message.payload);
    if (events_.read && replies_.size() == 1) events_.read(reply().body);
  }

  void note_odd(const char* kind, const char* what, std::size_t at) {
    facts_.push_back({"fault",
                      {{"side", "client"},
                       {"kind", kind},
                       {"section", "5.6"},
                       {"what", what},
                       {"at", std::to_string(at)}}});
  }

  // Closes the connection after the last answer, and reads what still comes.
  void close() {
    const bool was_complete = is_complete_;
    const std::string how = reader_.closed() ? "close" : is_reset_ ? "reset" : is_gone_ ? "end" : "open";
    const bool closes = !is_over() && reply().ending == Ending::complete;
    if (closes) {
      send(observe::websocket_frame(Opcode::close, true, observe::close_payload(kNormal), next_mask(mask_)));
      read_on();
      reply().kept_open = !reader_.closed() && !is_gone_;
    }
    SocketEvent end{"end", {{"side", "client"}, {"how", how}, {"answered", was_complete ? "yes" : "no"}}};
    if (const auto code = reader_.close_code()) end.members["code"] = std::to_string(*code);
    if (closes) end.members["returned"] = reader_.closed() ? "yes" : "no";
    for (SocketEvent& fault : fault_events(reader_, "client")) facts_.push_back(std::move(fault));
    const FrameStyle::Kind kind = sending_.frames.kind;
    if (closes && (kind == FrameStyle::Kind::pings || kind == FrameStyle::Kind::between))
      facts_.push_back({"pong", {{"side", "client"}, {"answered", has_pong_ ? "yes" : "no"}}});
    facts_.push_back(std::move(end));
    reply().socket = std::move(facts_);
  }

  void read_on() {
    const Deadline deadline = within(timeouts_.closing);
    while (wait_for(socket_, POLLIN, leave_, deadline) == Io::done && !has_passed(deadline)) {
      const ssize_t got = recv(socket_, room_.data(), room_.size(), 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) {
        is_gone_ = true;
        return;
      }
      take(std::string_view(room_.data(), static_cast<std::size_t>(got)));
    }
  }

  const int socket_;
  const Post& what_;
  const dialect::SocketForm& form_;
  const SocketSending& sending_;
  const ClientTimeouts& timeouts_;
  const ClientEvents& events_;
  const StopToken& leave_;
  observe::MaskKey mask_{'\x37', '\xfa', '\x21', '\x3d'};  // in the examples of RFC 6455, 5.7
  observe::WebSocketReader reader_;
  std::vector<Reply> replies_;
  std::vector<SocketEvent> facts_;
  Deadline last_;  // time of the last byte of an event
  bool is_complete_ = false;
  bool is_gone_ = false;
  bool is_reset_ = false;
  bool has_pong_ = false;
  std::array<char, kRoomOfSocket> room_;
};

}  // namespace

std::vector<Reply> converse(const HttpAddress& to, const Post& what, const std::vector<std::string>& more,
                            const dialect::SocketForm& form, const SocketSending& sending,
                            const ClientTimeouts& timeouts, const ClientEvents& events,
                            const StopToken& leave) {
  Reply unreached;
  const Descriptor socket = connect_to_target(to, timeouts, leave, unreached);
  if (socket.get() < 0) return {unreached};
  return SocketConversation(socket.get(), what, form, sending, timeouts, events, leave).hold(to, more);
}

}  // namespace splitproof::testee
