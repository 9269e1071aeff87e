// The WebSocket side of a connection of the stand-in.
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "harness/observe/websocket_frames.hpp"
#include "harness/testee/connection.hpp"
#include "harness/testee/websocket_handshake.hpp"
#include "harness/testee/websocket_script.hpp"

namespace splitproof::testee {
namespace {

constexpr std::size_t kRoomOfRead = 65536;
constexpr auto kForPong = std::chrono::milliseconds(300);  // from the end of an answer
constexpr auto kBetweenPings = std::chrono::milliseconds(100);

std::size_t pings_in(const ResponseScript& script) {
  using Kind = observe::FrameStyle::Kind;
  return script.frames.kind == Kind::pings || script.frames.kind == Kind::between ? 1 : 0;
}

}  // namespace

void Connection::serve_socket(const UpstreamRequest& handshake) {
  const dialect::SocketForm& form = *service_.socket;
  socket_peer_.emplace(form, handshake, service_.limits.body);
  if (write(accepting_head(handshake)) != Io::done) return;
  socket_peer_->take(std::exchange(unread_, {}));
  std::size_t turn = 0;
  while (const std::optional<std::string> message = next_message()) {
    UpstreamRequest request = handshake;
    request.body = *form.asked(*message);
    if (form.only_prepares(*message)) {
      ResponseScript prepared;
      prepared.pieces = {form.prepared_answer()};
      if (write(plan_frames(prepared, form).writes.bytes) != Io::done) return;
      continue;
    }
    const std::shared_ptr<PreparedAnswer> answer = service_.answers->find(request);
    ResponseScript script = answer != nullptr ? answer->script_for(request) : service_.otherwise;
    if (answer == nullptr) script.holds.clear();
    if (answer != nullptr) answer->begin();
    Served served;
    served.came = std::chrono::steady_clock::now();
    served.request = std::move(request);
    served.connection = number_;
    served.turn = ++turn;
    served.status = script.status;
    served.exact = peer_.has_value();
    socket_peer_->expect_pongs(pings_in(script));
    const FramePlan plan = plan_frames(script, form);
    served.outcome = play(answer.get(), script, plan.writes, served);
    const bool finished = served.outcome == ServingOutcome::finished;
    if (finished) wait_for_pong();
    if (!finished || !plan.leaves_open) end_socket(script, finished);
    served.socket = socket_peer_->take_events(finished && plan.leaves_open);
    served.ended = std::chrono::steady_clock::now();
    service_.record(answer.get(), std::move(served));
    if (!finished || !plan.leaves_open) return linger();
  }
  linger();
}

void Connection::end_socket(const ResponseScript& script, bool finished) {
  if (!finished || script.end == recording::End::reset || script.end == recording::End::stall) {
    reset(socket_);
  } else {
    shutdown(socket_.get(), SHUT_WR);
  }
}

// Waits for the next message that asks for an answer, and answers pings and the close.
std::optional<std::string> Connection::next_message() {
  std::optional<IdleConnections::Wait> idle(std::in_place, *service_.idle, socket_.get());
  const Deadline deadline = within(service_.timeouts.idle);
  while (true) {
    if (const std::string replies = socket_peer_->take_replies(); !replies.empty()) {
      if (write(replies) != Io::done) return std::nullopt;
    }
    if (std::optional<std::string> message = socket_peer_->next_message()) return message;
    if (socket_peer_->is_over()) {
      shutdown(socket_.get(), SHUT_WR);
      return std::nullopt;
    }
    if (receive(socket_.get(), unread_, stop_, deadline) != Io::done) return std::nullopt;
    socket_peer_->take(std::exchange(unread_, {}));
  }
}

void Connection::wait_for_pong() {
  const Deadline deadline = within(kForPong);
  while (!socket_peer_->has_answered_pings() && !socket_peer_->is_over()) {
    if (receive(socket_.get(), unread_, stop_, deadline) != Io::done) return;
    socket_peer_->take(std::exchange(unread_, {}));
  }
}

// Reads what the client has sent so far. Its close ends the answer.
Io Connection::look_into_socket() {
  std::array<char, kRoomOfRead> room;
  while (true) {
    const ssize_t got = recv(socket_.get(), room.data(), room.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno != EAGAIN) return Io::gone;
    if (got == 0) return Io::gone;
    if (got < 0) return socket_peer_->is_over() ? Io::gone : Io::done;
    socket_peer_->take(std::string_view(room.data(), static_cast<std::size_t>(got)));
  }
}

// Sends pings only, if the script has pings, until the client gives up.
ServingOutcome Connection::stall_socket(const PreparedAnswer* answer, const ResponseScript& script) {
  const Deadline deadline = within(service_.timeouts.stall);
  const std::string ping = observe::websocket_frame(observe::Opcode::ping, true, kPingOfScript);
  while (true) {
    const Io slept = sleep_until(stop_, within(kBetweenPings));
    if (slept == Io::stopped || (answer != nullptr && answer->given_up())) return ServingOutcome::stopped;
    if (look_into_socket() == Io::gone || has_passed(deadline)) return ServingOutcome::finished;
    if (pings_in(script) > 0 && write(ping) != Io::done) return ServingOutcome::finished;
  }
}

}  // namespace splitproof::testee
