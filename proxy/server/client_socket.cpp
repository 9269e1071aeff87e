// The part of a client's connection that serves a WebSocket.

#include <memory>
#include <utility>

#include "proxy/server/client_connection.hpp"
#include "proxy/server/refusal.hpp"
#include "proxy/server/websocket_handshake.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::server {

// Accepts or refuses the upgrade.
void ClientConnection::begin_socket() {
  if (auto refused = refuse_websocket(head_, settings_.loopback)) {
    close_ = close_ || head_.has_body();
    return answer(refusal(head_.path, refused->fault), refused->fields);
  }
  out_ += websocket_answer(head_);
  log_.status = 101;
  session_ = std::make_unique<WebSocketSession>(owner_, head_, [this] { guarded([this] { work(); }); });
  if (draining_) session_->drain();
  enter(State::socket);
}

bool ClientConnection::serve_socket() {
  const bool waited = unsent() > 0;
  session_->take(in_);
  wire::empty(in_);
  session_->pass_on(out_, unsent());
  if (session_->over()) {
    close_ = true;
    enter(State::answering);
    return true;
  }
  note_waiting();
  const Pace pace = send_slowly(waited);
  if (pace == Pace::gone) return false;
  if (pace == Pace::all_sent) session_->sent();
  session_->pause(pace == Pace::full);
  return pace != Pace::full && session_->has_work();
}

// Ends a WebSocket as far as the client takes the bytes at once.
void ClientConnection::end_socket() {
  session_->stop();
  if (state_ != State::socket) return;
  session_->pass_on(out_, 0);
  if (flush()) end_request(unsent() == 0);
}

// Deletes the session later because it may be the caller.
void ClientConnection::drop_session() {
  if (session_ != nullptr) loop_.later([dead = std::shared_ptr<WebSocketSession>(std::move(session_))] {});
}

}  // namespace splitproof::server
