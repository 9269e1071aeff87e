#include "proxy/server/client_connection.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <utility>

#include "proxy/server/refusal.hpp"
#include "proxy/server/web_page.hpp"
#include "proxy/server/websocket_handshake.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::server {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kPiece = 16384;  // bytes for each read
constexpr milliseconds kWholeHead{20'000};
constexpr milliseconds kWindow{20'000};      // of a body's time: in each it has to bring enough
constexpr std::size_t kBytesASecond = 1024;  // lower rates count as an attack
constexpr milliseconds kLinger{2'000};       // discards what the client still sends for this time
constexpr std::size_t kMostIgnored = std::size_t{32} << 20;

}  // namespace

ClientConnection::ClientConnection(Owner& owner, int descriptor)
    : owner_(owner),
      settings_(owner.settings),
      loop_(owner.loop),
      descriptor_(descriptor),
      timer_(loop_, [this] { guarded([this] { due(); }); }) {
  const int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  loop_.watch(descriptor_, EPOLLIN | EPOLLRDHUP, *this);
  timer_.set(loop_.now() + kKeepAlive);
}

ClientConnection::~ClientConnection() {
  if (state_ == State::closed) return;
  loop_.forget(descriptor_);
  ::close(descriptor_);
}

// Confines a failure of the system to this connection.
void ClientConnection::guarded(const std::function<void()>& what) {
  if (state_ == State::closed) return;
  try {
    what();
  } catch (const std::exception& broken) {
    std::fprintf(stderr, "splitproof-proxy: serving a request failed: %s\n", broken.what());
    abandon();
  }
}

void ClientConnection::ready(int, std::uint32_t events) {
  guarded([&] {
    const bool broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
    if (broken || ((events & EPOLLRDHUP) != 0 && is_served())) return abandon();
    if (state_ == State::settling) return (events & EPOLLRDHUP) != 0 ? close() : void();
    if ((events & (EPOLLIN | EPOLLRDHUP)) != 0 && !receive()) return;
    work();
  });
}

// Returns false at the end of the connection.
bool ClientConnection::receive() {
  std::array<char, kPiece> bytes;
  const ssize_t n = recv(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (n <= 0) {
    abandon();
    return false;
  }
  if (state_ == State::lingering) {
    ignored_ += static_cast<std::size_t>(n);
    if (ignored_ < kMostIgnored) return true;
    close();
    return false;
  }
  in_.append(bytes.data(), static_cast<std::size_t>(n));
  return true;
}

// Continues until it has to wait.
void ClientConnection::work() {
  bool moved = true;
  while (moved) {
    switch (state_) {
      case State::head:
        moved = read_head();
        break;
      case State::body:
        moved = read_body();
        break;
      case State::waiting:
        moved = relay();
        break;
      case State::streaming:
        moved = pass_stream_on();
        break;
      case State::socket:
        moved = serve_socket();
        break;
      case State::settling:
        moved = relayed_->settled();
        if (moved) enter(State::head);
        break;
      case State::answering:
        moved = end_answer();
        break;
      case State::translating:
      case State::lingering:
      case State::closed:
        moved = false;
    }
  }
  if (state_ != State::closed) watch();
}

void ClientConnection::watch() {
  std::uint32_t events = 0;
  if (state_ == State::head || state_ == State::body || state_ == State::lingering) events |= EPOLLIN;
  if (state_ == State::socket) events |= EPOLLIN | EPOLLRDHUP;
  if (is_served() || state_ == State::settling) events |= EPOLLRDHUP;
  if (unsent() > 0) events |= EPOLLOUT;
  loop_.change(descriptor_, events);
}

// Keeps the unread rest of `in_`.
void ClientConnection::keep(std::string_view rest) {
  if (rest.empty())
    wire::empty(in_);
  else
    in_.erase(0, in_.size() - rest.size());
}

bool ClientConnection::read_head() {
  if (in_.empty()) return false;
  if (!head_reader_.begun()) {
    log_.begin(new_request_id(settings_.seed), sent_);
    timer_.set(loop_.now() + std::min(kWholeHead, settings_.client_timeout));
  }
  std::string_view bytes = in_;
  auto head = head_reader_.take(bytes);
  keep(bytes);
  if (!head) return false;
  if (*head)
    begin_request(std::move(**head));
  else
    fail(head->error());
  return true;
}

void ClientConnection::begin_request(RequestHead head) {
  head_ = std::move(head);
  log_.method = head_.method;
  log_.path = head_.path;
  close_ = !head_.keep_alive || draining_;
  enter(State::body);
  if (asks_for_websocket(head_, settings_)) return begin_socket();
  if (!Routes::wants_body(head_)) {
    // An unread body would be taken for the next request.
    close_ = close_ || head_.has_body();
    return serve();
  }
  if (const auto fault = refuse_web_page(head_, settings_.loopback)) return fail(*fault);
  body_reader_.emplace(head_, settings_.limits.request_bytes);
  if (body_reader_->state() == BodyReader::State::too_large) return;
  place_.emplace(owner_.streams);
  if (!place_->taken()) {
    close_ = close_ || head_.has_body();
    return answer(no_room(head_.path, "the proxy cannot serve another stream now; try again later"));
  }
  if (head_.expects_continue && head_.has_body() && in_.empty()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
  held_.emplace(owner_.bodies, loop_, [this] {
    guarded([this] {
      make_room();
      work();
    });
  });
  begin_window();
}

void ClientConnection::begin_window() {
  body_before_ = body_.size();
  timer_.set(loop_.now() + std::min(kWindow, settings_.client_timeout));
}

// True if enough of the body arrived in the window that ended.
bool ClientConnection::keeps_pace() const {
  const auto window = std::min(kWindow, settings_.client_timeout);
  return body_.size() - body_before_ >= kBytesASecond * static_cast<std::size_t>(window.count()) / 1000;
}

// Drops this body because other requests need its memory.
void ClientConnection::make_room() {
  close_ = true;  // the start of the next request is unknown
  wire::empty(in_);
  answer(no_room(head_.path,
                 "the proxy cannot read the body of the request now, because too many bodies arrive slowly; "
                 "try again later"));
}

bool ClientConnection::read_body() {
  if (!flush()) return false;
  std::string_view bytes = in_;
  const std::size_t before = body_.size();
  const BodyReader::State state = body_reader_->take(bytes, body_);
  keep(bytes);
  if (body_.size() > before && !held_->grow(body_.size() - before, loop_.now())) {
    make_room();
    return true;
  }
  switch (state) {
    case BodyReader::State::more:
      return false;
    case BodyReader::State::too_large:
      fail({413, fmt::format("the request is larger than {} bytes", settings_.limits.request_bytes)});
      return true;
    case BodyReader::State::malformed:
      fail({400, "the body is not valid in HTTP's chunked transfer coding"});
      return true;
    case BodyReader::State::whole:
      serve();
      return true;
  }
  return false;
}

void ClientConnection::serve() {
  if (body_.size() >= Translations::kLarge) return translate_elsewhere();
  take_outcome(owner_.routes.serve(head_, body_, log_.id, close_));
}

void ClientConnection::translate_elsewhere() {
  translation_ = std::make_shared<Translations::Job>(Translations::Job{
      loop_, head_, std::move(body_), log_.id, close_, [this] {
        guarded([this] {
          const auto job = std::exchange(translation_, nullptr);
          if (job->failed) std::rethrow_exception(job->failed);
          if (job->refused)
            answer(no_room(
                head_.path,
                "the proxy cannot accept the request now, because too many large requests wait; try again "
                "later"));
          else
            take_outcome(std::move(job->outcome));
          work();
        });
      }});
  enter(State::translating);
  owner_.translations.add(translation_);
}

void ClientConnection::take_outcome(Routes::Outcome outcome) {
  if (!outcome.call) {
    log_.status = outcome.status;
    out_ += outcome.answer;
    return enter(State::answering);
  }
  relayed_ = std::make_shared<RelayedRequest>(*outcome.call, settings_, loop_, owner_.pool,
                                              [this] { guarded([this] { work(); }); });
  enter(State::waiting);
}

bool ClientConnection::relay() {
  switch (relayed_->stage()) {
    case RelayedRequest::Stage::waiting:
      return false;
    case RelayedRequest::Stage::answer:
      answer(relayed_->answer());
      return true;
    case RelayedRequest::Stage::stream:
      break;
  }
  close_ = close_ || head_.old;  // HTTP/1.0: the end of the connection ends the body
  begin_response(200, relayed_->stream_type(),
                 head_.old ? "Cache-Control: no-cache\r\n"
                           : "Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n");
  enter(State::streaming);
  return true;
}

bool ClientConnection::pass_stream_on() {
  const bool over = relayed_->over();
  const bool waited = unsent() > 0;
  if (std::string& events = relayed_->events(); !events.empty()) {
    send_piece(events);
    wire::empty(events);
  }
  if (over && !head_.old) out_ += "0\r\n\r\n";
  if (over) {
    enter(State::answering);
    return true;
  }
  const Pace pace = send_slowly(waited);
  if (pace == Pace::all_sent) relayed_->sent();
  if (pace != Pace::gone) relayed_->pause(pace == Pace::full);
  return false;
}

// Called when `out_` holds the complete answer.
bool ClientConnection::end_answer() {
  if (!flush() || unsent() > 0) return false;
  end_request(true);
  if (!close_) {
    if (relayed_ == nullptr || relayed_->settled()) {
      enter(State::head);
    } else {
      relayed_->settle();
      enter(State::settling);
    }
    return true;
  }
  // Closing with unread bytes would reset the connection before the client has read its answer.
  shutdown(descriptor_, SHUT_WR);
  enter(State::lingering);
  return true;
}

void ClientConnection::enter(State state) {
  state_ = state;
  if (state != State::body) {
    held_.reset();
    wire::empty(body_);
  }
  switch (state) {
    case State::head: {
      drop_relayed();
      head_ = {};
      body_reader_.reset();
      timer_.set(loop_.now() + kKeepAlive);
      if (draining_) return close();
      break;
    }
    case State::answering:
      timer_.set(loop_.now() + settings_.client_timeout);
      break;
    case State::lingering:
      timer_.set(loop_.now() + kLinger);
      break;
    default:
      timer_.clear();
  }
  note_waiting();
}

void ClientConnection::note_waiting() {
  const bool waits_now = waits();
  if (std::exchange(waits_, waits_now) != waits_now) owner_.idle(*this);
}

// Handles the timeout of the current state.
void ClientConnection::due() {
  switch (state_) {
    case State::head:
      if (!head_reader_.begun()) return close();
      fail({408, "the head of the request did not arrive in time"});
      return work();
    case State::body:
      if (keeps_pace()) return begin_window();
      fail({408, "the body of the request did not arrive in time"});
      return work();
    case State::lingering:
      return close();
    default:
      if (unsent() > 0) abandon();
  }
}

void ClientConnection::end_request(bool whole) {
  log_.end(sent_, whole);
  log_ = {};
  place_.reset();
}

// The client has gone or has stopped reading.
void ClientConnection::abandon() {
  if (state_ == State::waiting || state_ == State::translating) log_.status = 499;  // only for the log
  const bool busy = state_ == State::body || is_served() || state_ == State::socket ||
                    state_ == State::answering || (state_ == State::head && head_reader_.begun());
  if (busy) end_request(false);
  if (session_ != nullptr) session_->leave();
  close();
}

void ClientConnection::close() {
  if (state_ == State::closed) return;
  loop_.forget(descriptor_);
  ::close(descriptor_);
  timer_.clear();
  place_.reset();
  state_ = State::closed;
  note_waiting();
  held_.reset();
  if (translation_ != nullptr) {
    translation_->done = nullptr;
    owner_.translations.drop(std::exchange(translation_, nullptr));
  }
  drop_relayed();
  drop_session();
  owner_.closed(*this);
}

// Deletes the relayed request later because it may be the caller.
void ClientConnection::drop_relayed() {
  if (relayed_ != nullptr) loop_.later([dead = std::exchange(relayed_, nullptr)] {});
}

void ClientConnection::give_way() {
  guarded([this] {
    if (state_ == State::socket) end_socket();
    close();
  });
}

void ClientConnection::refuse() {
  guarded([this] {
    log_.begin(new_request_id(settings_.seed), sent_);
    fail({529, "the proxy cannot serve another connection now; try again later"});
    work();
  });
}

void ClientConnection::drain() {
  draining_ = true;
  close_ = true;
  if (state_ == State::settling || (state_ == State::head && !head_reader_.begun())) close();
  if (state_ != State::socket) return;
  session_->drain();
  guarded([this] { work(); });
}

void ClientConnection::stop() {
  guarded([this] {
    if (state_ == State::translating) {
      answer(refusal(head_.path, {503, "the proxy is shutting down"}));
      work();
    }
    if (relayed_ != nullptr && (state_ == State::waiting || state_ == State::streaming)) relayed_->stop();
    if (state_ == State::answering) end_request(false);
    if (state_ == State::socket) end_socket();
    close();
  });
}

}  // namespace splitproof::server
