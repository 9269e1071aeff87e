// The part of a client's connection that writes answers, and sends them as fast as the client reads.

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <iterator>
#include <utility>

#include "proxy/server/client_connection.hpp"
#include "proxy/server/reasons.hpp"
#include "proxy/server/refusal.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::server {
namespace {

constexpr std::size_t kUnsent = 16384;   // above this, pause reading from the upstream
constexpr std::size_t kChunkBytes = 20;  // framing of a chunk

}  // namespace

void ClientConnection::answer(const Answer& answer, std::string_view fields) {
  std::string more = fmt::format("Content-Length: {}\r\n{}", answer.body.size(), fields);
  if (!answer.retry_after.empty()) more += "retry-after: " + answer.retry_after + "\r\n";
  if (!answer.header.empty()) more += answer.header + "\r\n";
  begin_response(answer.status, "application/json", more);
  out_ += answer.body;
  enter(State::answering);
}

// The end of the request is unknown, so the connection closes after the answer.
void ClientConnection::fail(const RequestFault& fault) {
  close_ = true;
  wire::empty(in_);
  answer(refusal(fault.path.empty() ? head_.path : fault.path, fault));
}

void ClientConnection::begin_response(int status, std::string_view type, std::string_view more) {
  close_ = close_ || draining_;
  log_.status = status;
  fmt::format_to(std::back_inserter(out_),
                 "HTTP/1.1 {} {}\r\n{}Content-Type: {}\r\nrequest-id: {}\r\n{}\r\n\r\n", status,
                 reason_of(status), more, type, log_.request_id(),
                 close_      ? "Connection: close"
                 : head_.old ? "Connection: keep-alive"
                             : "Keep-Alive: timeout=60");
}

void ClientConnection::send_piece(std::string_view piece) {
  out_.reserve(out_.size() + piece.size() + kChunkBytes);
  if (!head_.old) fmt::format_to(std::back_inserter(out_), "{:x}\r\n", piece.size());
  out_ += piece;
  if (!head_.old) out_ += "\r\n";
}

// Sends as much as the client takes. Returns false if the client has gone.
bool ClientConnection::flush() {
  while (unsent() > 0) {
    const ssize_t n = send(descriptor_, out_.data() + out_at_, unsent(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      // Moves the rest only now and then, so the moved bytes stay fewer than the sent bytes.
      if (out_at_ > unsent()) out_.erase(0, std::exchange(out_at_, 0));
      return true;
    }
    if (n <= 0) {
      abandon();
      return false;
    }
    out_at_ += static_cast<std::size_t>(n);
    sent_ += static_cast<std::size_t>(n);
    timer_.set(loop_.now() + settings_.client_timeout);
  }
  wire::empty(out_);
  out_at_ = 0;
  return true;
}

// Sends what the client takes at once. `waited`: some bytes have waited already.
ClientConnection::Pace ClientConnection::send_slowly(bool waited) {
  const bool sends = unsent() > 0;
  if (!flush()) return Pace::gone;
  if (unsent() == 0) timer_.clear();
  if (unsent() == 0 && sends) return Pace::all_sent;
  if (unsent() > 0 && !waited) timer_.set(loop_.now() + settings_.client_timeout);
  return unsent() >= kUnsent ? Pace::full : Pace::fits;
}

}  // namespace splitproof::server
