#include "proxy/server/websocket_session.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "proxy/server/refusal.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::server {
namespace {

using std::chrono::milliseconds;
using wire::WebSocketClose;
using wire::WebSocketEvent;

constexpr std::size_t kMuch = 16384;    // unsent bytes with which no other request begins
constexpr milliseconds kLook{20'000};   // time between two looks at the clock
constexpr std::size_t kSlowest = 1024;  // bytes a second of an incomplete message
constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max() / 2;  // the translator has limits

}  // namespace

WebSocketSession::WebSocketSession(const ServerParts& parts, RequestHead head, std::function<void()> changed)
    : parts_(parts),
      settings_(parts.settings),
      head_(std::move(head)),
      changed_(std::move(changed)),
      socket_(*asker(head_.path).socket),
      conversation_(std::make_shared<KeptConversation>(parts.conversations)),
      reader_(wire::WebSocketReader::Peer::client, settings_.limits.request_bytes),
      clock_(parts.loop, [this] { look_at_the_clock(); }),
      opened_(parts.loop.now()),
      heard_(opened_) {
  clock_.set(opened_ + std::min({kLook, settings_.client_timeout, settings_.websocket_age}));
}

WebSocketSession::~WebSocketSession() { leave(); }

void WebSocketSession::take(std::string_view bytes) {
  if (bytes.empty() || over_ || close_) return;
  heard_ = parts_.loop.now();
  pinged_ = false;
  std::vector<WebSocketEvent> events;
  reader_.feed(bytes, events);
  for (WebSocketEvent& event : events) {
    switch (event.kind) {
      case WebSocketEvent::Kind::text:
        take_message(std::move(event.data));
        break;
      case WebSocketEvent::Kind::ping:
        pong_ = std::move(event.data);  // RFC 6455, 5.5.3: only the last ping needs an answer
        break;
      case WebSocketEvent::Kind::pong:
        break;
      case WebSocketEvent::Kind::close:
        leave();
        wire::empty(due_);
        close_.emplace(wire::answer_to_close(event.code), "");
        break;
      case WebSocketEvent::Kind::fault:
        leave();
        close_.emplace(event.code, std::move(event.data));
        break;
    }
  }
  if (!reader_.inside() || reader_.held() == 0) {
    held_.reset();
    held_bytes_ = 0;
    return;
  }
  if (!held_) {
    held_.emplace(parts_.bodies, parts_.loop, [this] {
      close(WebSocketClose::overloaded, "too many messages arrive slowly; try again later");
      changed_();
    });
  }
  const std::size_t held = reader_.held();
  if (held > held_bytes_ && !held_->grow(held - held_bytes_, parts_.loop.now()))
    close(WebSocketClose::overloaded, "too many messages arrive slowly; try again later");
  held_bytes_ = std::max(held, held_bytes_);
}

void WebSocketSession::take_message(std::string message) {
  ++messages_;
  held_.reset();
  held_bytes_ = 0;
  waiting_bytes_ += message.size();
  waiting_.push_back(std::move(message));
  if (waiting_.size() > kWaiting || waiting_bytes_ > settings_.limits.request_bytes)
    close(WebSocketClose::policy, "too many requests wait for the current answer");
}

void WebSocketSession::begin_next() {
  std::string message = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= message.size();
  // With a seed every request would have one id.
  const std::uint64_t id = new_request_id(settings_.seed) + (settings_.seed ? requests_ : 0);
  ++requests_;
  log_.begin(id, written_);
  log_.method = "WS";
  log_.path = head_.path;
  place_.emplace(parts_.streams);
  if (!place_->taken()) {
    report(no_room(head_.path, "the proxy cannot serve another stream now; try again later"), due_);
    return;
  }
  if (message.size() + conversation_->size() < Translations::kLarge)
    return begin(socket_request(head_, message, id, *conversation_, settings_));
  prepared_ = std::make_shared<SocketRequest>();
  job_ = std::make_shared<Translations::Job>(
      Translations::Job{parts_.loop, {}, std::move(message), id, false, [this] {
                          job_ended_ = true;
                          changed_();
                        }});
  // The session may end before the work does, so the work owns what it uses. The settings outlive both.
  job_->work = [head = head_, conversation = conversation_, prepared = prepared_,
                &settings = settings_](const Translations::Job& job) {
    *prepared = socket_request(head, job.body, job.id, *conversation, settings);
  };
  parts_.translations.add(job_);
}

void WebSocketSession::take_job() {
  job_ended_ = false;
  const auto job = std::exchange(job_, nullptr);
  const auto prepared = std::exchange(prepared_, nullptr);
  if (job->failed) std::rethrow_exception(job->failed);
  if (!job->refused) return begin(std::move(*prepared));
  report(no_room(head_.path,
                 "the proxy cannot accept the request now, because too many large requests wait; try again "
                 "later"),
         due_);
}

void WebSocketSession::begin(SocketRequest request) {
  if (request.error) return report(*request.error, due_);
  if (!request.call) return end_request(200, true);
  turn_ = std::move(request.turn);
  events_.emplace(kAnySize);
  if (!turn_->generates) {
    pass_events(empty_answer(*request.call), due_);
    return end_request(200, true);
  }
  relayed_ = std::make_shared<RelayedRequest>(*request.call, settings_, parts_.loop, parts_.pool,
                                              [this] { changed_(); });
}

bool WebSocketSession::has_work() const {
  return !close_ && job_ == nullptr && relayed_ == nullptr && !waiting_.empty();
}

void WebSocketSession::pass_on(std::string& out, std::size_t unsent) {
  if (over_) return;
  const std::size_t before = out.size();
  if (settling_ != nullptr && settling_->settled()) drop(settling_);
  if (!close_ && job_ended_) take_job();
  if (!close_ && relayed_ != nullptr) pass_answer(out);
  while (has_work() && unsent + out.size() - before + due_.size() < kMuch) begin_next();
  if (pong_ && !close_ && unsent < kMuch) {
    wire::append_pong_frame(out, *pong_);
    pong_.reset();
  }
  out += due_;
  wire::empty(due_);
  if (draining_ && idle()) close(WebSocketClose::going_away, "the proxy is shutting down");
  if (close_) {
    wire::append_close_frame(out, close_->first, close_->second);
    over_ = true;
    clock_.clear();
  }
}

void WebSocketSession::pass_answer(std::string& out) {
  switch (relayed_->stage()) {
    case RelayedRequest::Stage::waiting:
      return;
    case RelayedRequest::Stage::answer:
      return report(relayed_->answer(), out);
    case RelayedRequest::Stage::stream:
      break;
  }
  const bool ended = relayed_->over();
  if (std::string& events = relayed_->events(); !events.empty()) {
    pass_events(events, out);
    wire::empty(events);
  }
  if (ended) end_request(200, true);
}

// Sends each event as a message. Bytes without an event are comments, which keep a connection alive.
void WebSocketSession::pass_events(std::string_view events, std::string& out) {
  std::vector<wire::Frame> frames;
  events_->feed(events, frames);
  if (frames.empty()) wire::append_ping_frame(out, "");
  for (const wire::Frame& frame : frames) pass_event(frame.data, out);
}

void WebSocketSession::pass_event(std::string_view event, std::string& out) {
  if (!event.starts_with('{')) return;  // a closing mark of the event stream
  proxy::dialect::SocketEvent read = socket_.read_event(event);
  if (!read.item.empty()) items_.append(items_.empty() ? "" : ",").append(read.item);
  if (!read.answered.empty()) {
    answer_ = std::move(read.answered);
    if (!read.output.empty()) items_ = std::move(read.output);
  }
  send_message(event, out);
}

void WebSocketSession::send_message(std::string_view message, std::string& out) {
  const std::size_t before = out.size();
  wire::append_text_frame(out, message);
  written_ += out.size() - before;
}

// Sends an error in place of an answer.
void WebSocketSession::report(const Answer& answer, std::string& out) {
  send_message(socket_.error_message(answer), out);
  end_request(answer.status, true);
}

void WebSocketSession::end_request(int status, bool whole) {
  if (whole && turn_ && !answer_.empty()) {
    std::string& items = turn_->items;
    if (!items.empty() && !items_.empty()) items += ",";
    items += items_;
    conversation_->keep(turn_->previous, std::move(answer_), std::move(items));
  }
  turn_.reset();
  items_ = {};
  answer_ = {};
  events_.reset();
  place_.reset();
  log_.status = status;
  log_.end(written_, whole);
  log_ = {};
  if (relayed_ == nullptr) return;
  drop(settling_);
  if (whole && !relayed_->settled()) {
    relayed_->settle();
    settling_ = std::exchange(relayed_, nullptr);
  } else {
    drop(relayed_);
  }
}

// Deletes the request later because it may be the caller.
void WebSocketSession::drop(std::shared_ptr<RelayedRequest>& request) {
  if (request != nullptr) parts_.loop.later([dead = std::exchange(request, nullptr)] {});
}

void WebSocketSession::pause(bool paused) {
  if (relayed_ != nullptr) relayed_->pause(paused);
}

void WebSocketSession::sent() {
  if (relayed_ != nullptr && relayed_->stage() == RelayedRequest::Stage::stream) relayed_->sent();
}

void WebSocketSession::drain() { draining_ = true; }

void WebSocketSession::stop() {
  draining_ = true;
  waiting_.clear();
  waiting_bytes_ = 0;
  if (job_ != nullptr) {
    const Answer answer = refusal(head_.path, {503, "the proxy is shutting down"});
    send_message(socket_.error_message(answer), due_);
    leave();
  }
  if (relayed_ != nullptr) relayed_->stop();
  if (relayed_ != nullptr) pass_answer(due_);
  close(WebSocketClose::going_away, "the proxy is shutting down");
}

void WebSocketSession::leave() {
  if (job_ != nullptr) {
    job_->done = nullptr;
    parts_.translations.drop(std::exchange(job_, nullptr));
    job_ended_ = false;
    end_request(499, false);
  }
  if (relayed_ != nullptr)
    end_request(relayed_->stage() == RelayedRequest::Stage::waiting ? 499 : 200, false);
  drop(settling_);
  waiting_.clear();
  waiting_bytes_ = 0;
  held_.reset();
}

// The first reason counts.
void WebSocketSession::close(WebSocketClose code, std::string_view reason) {
  if (!close_) close_.emplace(static_cast<std::uint16_t>(code), reason);
}

// True if an incomplete message brought too few bytes since the last look.
bool WebSocketSession::is_slow() {
  const std::size_t came = reader_.content() - std::exchange(content_before_, reader_.content());
  const bool same = inside_before_ && std::exchange(messages_before_, messages_) == messages_;
  inside_before_ = reader_.inside();
  messages_before_ = messages_;
  const auto window = std::min(kLook, settings_.client_timeout);
  return same && inside_before_ && came < kSlowest * static_cast<std::size_t>(window.count()) / 1000;
}

void WebSocketSession::look_at_the_clock() {
  const auto now = parts_.loop.now();
  const auto end = opened_ + settings_.websocket_age;
  if (is_slow()) {
    close(WebSocketClose::policy, "a message did not arrive in time");
  } else if (now >= end && idle()) {
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(settings_.websocket_age);
    const Answer answer = socket_.too_old(static_cast<std::size_t>(minutes.count()));
    wire::append_text_frame(due_, socket_.error_message(answer));
    close(WebSocketClose::normal, "the connection has reached its age limit");
  } else if (idle() && now - heard_ >= settings_.client_timeout) {
    // A client that has vanished answers no ping.
    if (std::exchange(pinged_, true))
      close(WebSocketClose::going_away, "the client answers no ping");
    else
      wire::append_ping_frame(due_, "");
  }
  const auto next = now + std::min(kLook, settings_.client_timeout);
  clock_.set(now < end ? std::min(next, end) : next);
  changed_();
}

}  // namespace splitproof::server
