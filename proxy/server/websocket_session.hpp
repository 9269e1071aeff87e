#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/server/relayed_request.hpp"
#include "proxy/server/request_head.hpp"
#include "proxy/server/request_log.hpp"
#include "proxy/server/server_parts.hpp"
#include "proxy/server/socket_request.hpp"
#include "proxy/wire/sse_reader.hpp"
#include "proxy/wire/websocket_frames.hpp"

namespace splitproof::server {

/// A client's WebSocket after its handshake. The owner has the socket, and passes bytes both ways.
///
/// It answers one request after another. Requests that come earlier wait, up to kWaiting. Each event of an answer is a
/// message. Nothing follows a close frame.
class WebSocketSession {
 public:
  static constexpr std::size_t kWaiting = 64;

  /// `head`: of the handshake. The loop calls `changed` when there may be something to send. It must not destroy the
  /// session.
  WebSocketSession(const ServerParts& parts, RequestHead head, std::function<void()> changed);
  ~WebSocketSession();
  WebSocketSession(const WebSocketSession&) = delete;
  WebSocketSession& operator=(const WebSocketSession&) = delete;

  /// Takes bytes from the client.
  void take(std::string_view bytes);

  /// Appends bytes for the client. `unsent`: the number of bytes that the client has not taken yet. While it has many,
  /// no other request begins.
  void pass_on(std::string& out, std::size_t unsent);

  /// True if another request can begin.
  bool has_work() const;

  /// True after a close frame was appended. The connection ends once it is sent.
  bool over() const { return over_; }

  /// True while it waits for a request.
  bool idle() const {
    return job_ == nullptr && relayed_ == nullptr && waiting_.empty() && !reader_.inside();
  }

  /// Pauses or resumes reading for the client.
  void pause(bool paused);

  /// Notes that the client has taken everything.
  void sent();

  /// Closes after the current answer, because the server ends or needs room.
  void drain();

  /// Ends the current answer with an error and closes, because the server ends now.
  void stop();

  /// The client has gone.
  void leave();

 private:
  void take_message(std::string message);
  void begin_next();
  void take_job();
  void begin(SocketRequest request);
  void pass_answer(std::string& out);
  void pass_events(std::string_view events, std::string& out);
  void pass_event(std::string_view event, std::string& out);
  void send_message(std::string_view message, std::string& out);
  void report(const Answer& answer, std::string& out);
  void end_request(int status, bool whole);
  void drop(std::shared_ptr<RelayedRequest>& request);
  void close(wire::WebSocketClose code, std::string_view reason);
  void look_at_the_clock();
  bool is_slow();

  const ServerParts parts_;
  const ServerSettings& settings_;
  const RequestHead head_;
  const std::function<void()> changed_;
  const proxy::dialect::Socket& socket_;
  std::shared_ptr<KeptConversation> conversation_;  // a translating thread may read it
  wire::WebSocketReader reader_;
  std::deque<std::string> waiting_;  // requests
  std::size_t waiting_bytes_ = 0;
  std::optional<HeldBodies::Share> held_;  // accounts for an incomplete message
  std::size_t held_bytes_ = 0;

  // The current request.
  std::shared_ptr<Translations::Job> job_;
  bool job_ended_ = false;
  std::shared_ptr<SocketRequest> prepared_;  // the result of `job_`
  std::optional<OpenStreams::Place> place_;
  std::optional<proxy::dialect::SocketTurn> turn_;
  std::shared_ptr<RelayedRequest> relayed_;
  std::optional<wire::SseReader> events_;
  std::string items_;   // complete items of its answer, joined by commas
  std::string answer_;  // id of its answer, once that has ended well
  RequestLog log_;
  std::uint64_t requests_ = 0;

  std::shared_ptr<RelayedRequest> settling_;  // answered; its upstream may still end its answer
  std::string due_;                           // bytes to send
  std::optional<std::string> pong_;
  std::optional<std::pair<std::uint16_t, std::string>> close_;  // the close frame to send
  bool over_ = false;
  bool draining_ = false;
  std::size_t written_ = 0;  // bytes of answers so far

  EventLoop::Timer clock_;
  EventLoop::Clock::time_point opened_;
  EventLoop::Clock::time_point heard_;  // time of the last bytes of the client
  bool pinged_ = false;                 // since then
  bool inside_before_ = false;          // an incomplete message at the last look at the clock
  std::size_t messages_ = 0;            // complete messages so far
  std::size_t messages_before_ = 0;
  std::size_t content_before_ = 0;
};

}  // namespace splitproof::server
