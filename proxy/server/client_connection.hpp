#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/body_reader.hpp"
#include "proxy/server/relayed_request.hpp"
#include "proxy/server/request_head.hpp"
#include "proxy/server/request_log.hpp"
#include "proxy/server/server_parts.hpp"
#include "proxy/server/websocket_session.hpp"

namespace splitproof::server {

/// A connection to a client. It answers one request before it reads the next. It holds about kUnsent bytes of a stream
/// that the client has not taken; meanwhile it reads nothing more from the upstream. It notices at any time that the
/// client leaves. A client that only stops sending counts as gone.
///
///     head --> body --> waiting --> streaming --> settling --> head    a request for the upstream
///                   --> translating --> waiting                        a large one
///          --> answering --> head                                      any other
///          --> socket --> answering                                    an upgrade to a WebSocket
///                        --> lingering --> closed                      the connection has to close
class ClientConnection final : EventLoop::Watcher {
 public:
  /// The parts of the server that a connection uses, and its owner.
  struct Owner : ServerParts {
    std::function<void(ClientConnection&)> idle;  ///< It begins or stops waiting for a request: see `waits`.
    std::function<void(ClientConnection&)> closed;  ///< The owner destroys it, but not during this call.
  };

  /// Takes over the descriptor of a connection.
  ClientConnection(Owner& owner, int descriptor);
  ~ClientConnection() override;
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  /// True if no complete request head has arrived since the last answer. The connection can then give way to another
  /// one.
  bool waits() const { return state_ == State::head || (state_ == State::socket && session_->idle()); }

  /// Closes a connection that waits.
  void give_way();

  /// Answers that the server is full, and closes.
  void refuse();

  /// Finishes the current request and accepts no other, because the server ends.
  void drain();

  /// Ends a stream with an error, because the server ends now. Bytes that the client does not take at once are lost.
  void stop();

 private:
  enum class State : std::uint8_t {
    head,
    body,
    translating,
    waiting,
    streaming,
    socket,
    settling,
    answering,
    lingering,
    closed
  };

  enum class Pace : std::uint8_t {
    gone,
    all_sent,
    fits,
    full
  };  // full: the source of more bytes has to pause

  void ready(int descriptor, std::uint32_t events) override;
  void due();
  void guarded(const std::function<void()>& what);

  bool receive();
  void work();
  void keep(std::string_view rest);
  bool read_head();
  bool read_body();
  void begin_request(RequestHead head);
  void begin_window();
  bool keeps_pace() const;
  void make_room();
  void serve();
  void translate_elsewhere();
  void take_outcome(Routes::Outcome outcome);
  bool relay();
  bool pass_stream_on();
  bool end_answer();
  Pace send_slowly(bool waited);

  void begin_socket();
  bool serve_socket();
  void end_socket();
  void drop_session();

  void answer(const Answer& answer, std::string_view fields = {});
  void fail(const RequestFault& fault);
  void begin_response(int status, std::string_view type, std::string_view more);
  void send_piece(std::string_view piece);
  bool flush();
  void enter(State state);
  void end_request(bool whole);
  void abandon();
  void close();
  void drop_relayed();
  void note_waiting();
  void watch();
  bool is_served() const {
    return state_ == State::translating || state_ == State::waiting || state_ == State::streaming;
  }
  std::size_t unsent() const { return out_.size() - out_at_; }

  Owner& owner_;
  const ServerSettings& settings_;
  EventLoop& loop_;
  const int descriptor_;
  State state_ = State::head;
  EventLoop::Timer timer_;
  std::string in_;  // received, not parsed
  RequestHeadReader head_reader_;
  std::optional<BodyReader> body_reader_;
  RequestHead head_;
  std::string body_;
  std::optional<HeldBodies::Share> held_;  // accounts for `body_` while it is incomplete
  std::size_t body_before_ = 0;            // size of `body_` at the start of the window
  std::shared_ptr<Translations::Job> translation_;
  std::optional<OpenStreams::Place> place_;
  std::shared_ptr<RelayedRequest> relayed_;
  std::unique_ptr<WebSocketSession> session_;
  std::string out_;  // bytes to send
  std::size_t out_at_ = 0;
  std::size_t sent_ = 0;     // bytes since the connection began
  std::size_t ignored_ = 0;  // bytes discarded while lingering
  RequestLog log_;
  bool close_ = false;  // after this answer
  bool waits_ = true;   // as the owner knows it
  bool draining_ = false;
};

}  // namespace splitproof::server
