#include "proxy/server/websocket_transfer.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "proxy/server/response_reader.hpp"
#include "proxy/server/websocket_handshake.hpp"
#include "proxy/wire/empty.hpp"
#include "proxy/wire/websocket_frames.hpp"

namespace splitproof::server {
namespace {

constexpr int kNoSocket = 426;  // the upstream wants the request by HTTP

using wire::WebSocketClose;
using wire::WebSocketEvent;

// RFC 6455, 5.3: unpredictable, and new for each frame.
wire::WebSocketMask new_mask() {
  std::array<char, 4> mask{};
  // Cannot fail for so few bytes once the system has started.
  (void)getrandom(mask.data(), mask.size(), 0);
  return mask;
}

// A connection is shared only by requests with the same handshake.
UpstreamAddress socket_address(const UpstreamPost& call) {
  UpstreamAddress address = upstream_address(call.url);
  address.origin += " websocket";
  for (const std::string& header : call.headers) address.origin += "\n" + header;
  return address;
}

}  // namespace

class WebSocketTransfer::State final : UpstreamChannel::User {
 public:
  State(const UpstreamPost& call, const UpstreamTimeouts& timeouts, std::size_t most, UpstreamPool& pool,
        std::function<void()> told)
      : pool_(pool),
        moved_(std::move(told)),
        call_(call),
        timeouts_(timeouts),
        most_(most),
        address_(socket_address(call)),
        patience_(pool.loop(), [this] { look_at_the_clock(); }) {
    connection_ = pool_.take_idle(address_, *this);
    used_ = connection_ != nullptr;
    if (used_)
      open();
    else
      dial();
  }

  ~State() override { give_back(false); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  int status() const { return posted_ ? posted_->status() : status_; }
  const std::string& retry_after() const { return posted_ ? posted_->retry_after() : retry_after_; }
  const std::string& error_type() const { return posted_ ? posted_->error_type() : error_type_; }
  std::string& body() { return posted_ ? posted_->body() : body_; }
  std::optional<TransferEnd> end() const { return posted_ ? posted_->end() : end_; }

  void pause(bool paused) {
    if (posted_) return posted_->pause(paused);
    if (std::exchange(paused_, paused) == paused || end_) return;
    wait();
    restart_patience();
  }

 private:
  enum class Stage : std::uint8_t { dialling, upgrading, open };

  void dial() {
    stage_ = Stage::dialling;
    connection_ = pool_.connect(address_, timeouts_.connect, *this);
  }

  void connected(std::optional<UpstreamChannel::Failure> failure) override {
    if (failure) {
      finish(*failure == UpstreamChannel::Failure::late ? TransferEnd::unconnected
                                                        : TransferEnd::unreachable);
      return moved_();
    }
    stage_ = Stage::upgrading;
    offer_ = websocket_offer(address_, call_.headers);
    out_ = offer_.request;
    request_left_ = out_.size();
    restart_patience();
    send();
  }

  // Sends the request on an open connection.
  void open() {
    stage_ = Stage::open;
    began_ = EventLoop::Clock::now();
    wire::append_text_frame(out_, call_.socket->request_message(call_.body), new_mask());
    request_left_ = out_.size() - out_at_;
    restart_patience();
    send();
  }

  void ready() override {
    if (end_ || posted_) return;
    send();
    if (paused_ || connection_ == nullptr) return;
    if (receive()) moved_();
  }

  void send() {
    std::string_view rest = std::string_view(out_).substr(out_at_);
    const UpstreamChannel::Io io = connection_->send(rest);
    // Only the request counts as progress, no answer to a ping.
    const std::size_t counted = std::min(out_.size() - out_at_ - rest.size(), request_left_);
    request_left_ -= counted;
    sent_ += counted;
    out_at_ = out_.size() - rest.size();
    // A broken connection may still hold an answer. Reading shows it.
    if (rest.empty() || io == UpstreamChannel::Io::broken) {
      wire::empty(out_);
      out_at_ = 0;
    }
    wait();
  }

  // Returns true if something has come, or the exchange has ended.
  bool receive() {
    std::string bytes;
    switch (connection_->receive(bytes)) {
      case UpstreamChannel::Io::again:
        return false;
      case UpstreamChannel::Io::done:
        return stage_ == Stage::upgrading ? take_head(bytes) : take_frames(bytes);
      case UpstreamChannel::Io::closed:
        if (stage_ == Stage::upgrading && head_.close() == ResponseReader::State::whole) return refused();
        return lose(TransferEnd::closed);
      case UpstreamChannel::Io::broken:
        return lose(TransferEnd::reset);
    }
    return false;
  }

  // Reads the answer to the handshake.
  bool take_head(std::string_view bytes) {
    came_ += bytes.size();
    switch (head_.take(bytes, body_)) {
      case ResponseReader::State::head:
        return false;
      case ResponseReader::State::body:
        if (head_.status() < 400) return finish(TransferEnd::garbled);
        if (head_.status() == kNoSocket) return refused();
        status_ = head_.status();
        return true;
      case ResponseReader::State::malformed:
        return finish(TransferEnd::garbled);
      case ResponseReader::State::whole:
        return refused();
      case ResponseReader::State::switched:
        break;
    }
    // The upstream speaks first only after the request.
    if (!accepts(offer_, head_.switched_head())) return finish(TransferEnd::garbled);
    open();
    return !bytes.empty() && take_frames(bytes);
  }

  // The upstream has answered the handshake by HTTP.
  bool refused() {
    if (head_.status() == kNoSocket) {
      give_back(false);
      patience_.clear();
      UpstreamPost post = std::move(call_);
      post.socket = nullptr;
      posted_ = std::make_unique<Transfer>(post, timeouts_, pool_, moved_);
      return false;
    }
    // Without an upgrade, a success is no answer to the request.
    if (head_.status() < 400) return finish(TransferEnd::garbled);
    status_ = head_.status();
    retry_after_ = head_.retry_after();
    error_type_ = head_.error_type();
    return finish(TransferEnd::complete);
  }

  bool take_frames(std::string_view bytes) {
    std::vector<WebSocketEvent> events;
    reader_.feed(bytes, events);
    const std::size_t before = came_;
    came_ += reader_.content() - std::exchange(content_, reader_.content());
    if (came_ != before) restart_patience();
    bool moved = false;
    for (WebSocketEvent& event : events) {
      if (end_ || connection_ == nullptr) break;
      moved = take(event, &event == &events.back()) || moved;
    }
    return moved;
  }

  // `final`: nothing follows in the bytes that have come.
  bool take(WebSocketEvent& event, bool final) {
    switch (event.kind) {
      case WebSocketEvent::Kind::text:
        return take_message(event.data, final);
      case WebSocketEvent::Kind::ping:
        wire::append_pong_frame(out_, event.data, new_mask());
        send();
        return false;
      case WebSocketEvent::Kind::pong:
        return false;
      case WebSocketEvent::Kind::close:
        say_farewell(wire::answer_to_close(event.code), "");
        return lose(TransferEnd::closed);
      case WebSocketEvent::Kind::fault:
        say_farewell(event.code, event.data);
        return finish(TransferEnd::garbled);
    }
    return false;
  }

  bool take_message(std::string_view message, bool final) {
    const auto error = call_.socket->read_error(message);
    if (error && status_ == 0) {
      if (error->expired && used_) return redial();
      status_ = error->answer.status;
      body_ = error->answer.body;
      retry_after_ = error->answer.retry_after;
      return finish(TransferEnd::complete);
    }
    status_ = 200;
    call_.socket->append_event(body_, message);
    if (!error && !call_.socket->read_event(message).last) return true;
    reusable_ = !error && final && !reader_.inside() && out_.empty();
    return finish(TransferEnd::complete);
  }

  // Sends a close frame as far as the upstream takes it at once.
  void say_farewell(std::uint16_t code, std::string_view reason) {
    if (connection_ == nullptr) return;
    wire::append_close_frame(out_, code, reason, new_mask());
    send();
  }

  // Handles the end of the connection. Returns false if the request is sent once more.
  bool lose(TransferEnd how) {
    const bool at_once = EventLoop::Clock::now() - began_ <= Transfer::kAtOnce;
    return used_ && status_ == 0 && content_ == 0 && at_once ? redial() : finish(how);
  }

  bool redial() {
    give_back(false);
    used_ = false;
    patience_.clear();  // connecting has its own limit
    wire::empty(out_);
    out_at_ = 0;
    request_left_ = 0;
    content_ = 0;
    reader_ = wire::WebSocketReader(wire::WebSocketReader::Peer::server, most_);
    dial();
    return false;
  }

  bool finish(TransferEnd how) {
    end_ = how;
    patience_.clear();
    give_back(how == TransferEnd::complete && reusable_);
    return true;
  }

  void give_back(bool reusable) {
    if (connection_ != nullptr) pool_.give_back(std::move(connection_), reusable);
    connection_ = nullptr;
  }

  void look_at_the_clock() {
    if (progress() == seen_ && !paused_) {
      say_farewell(static_cast<std::uint16_t>(WebSocketClose::going_away), "no event came in time");
      finish(TransferEnd::silent);
      return moved_();
    }
    restart_patience();
  }

  // Connecting has its own limit. A paused exchange has none.
  void restart_patience() {
    seen_ = progress();
    if (stage_ != Stage::dialling && !end_) patience_.set(pool_.loop().now() + timeouts_.idle);
  }

  std::size_t progress() const { return sent_ + came_; }

  void wait() {
    if (connection_ != nullptr) connection_->wait_for(!paused_, out_at_ < out_.size());
  }

  UpstreamPool& pool_;
  const std::function<void()> moved_;
  UpstreamPost call_;
  const UpstreamTimeouts timeouts_;
  const std::size_t most_;
  const UpstreamAddress address_;
  EventLoop::Timer patience_;
  std::unique_ptr<UpstreamChannel> connection_;  // null: it has ended
  std::unique_ptr<Transfer> posted_;             // if set, it does all the work
  Stage stage_ = Stage::dialling;
  WebSocketOffer offer_;
  ResponseReader head_{true};
  wire::WebSocketReader reader_{wire::WebSocketReader::Peer::server, most_};
  std::string out_;  // bytes to send
  std::size_t out_at_ = 0;
  std::size_t request_left_ = 0;  // bytes of the request or handshake among them
  std::string body_;
  int status_ = 0;
  std::string retry_after_;
  std::string error_type_;
  std::optional<TransferEnd> end_;
  EventLoop::Clock::time_point began_;  // time of the request on this connection
  std::size_t sent_ = 0;
  std::size_t came_ = 0;     // received bytes that count as progress
  std::size_t content_ = 0;  // the part of them from this connection's messages
  std::size_t seen_ = 0;     // `progress` when `patience_` was set
  bool used_ = false;        // the connection has carried another exchange
  bool paused_ = false;      // by the exchange's owner
  bool reusable_ = false;    // the connection can carry another exchange
};

WebSocketTransfer::WebSocketTransfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts,
                                     std::size_t most, UpstreamPool& pool, std::function<void()> moved)
    : state_(std::make_unique<State>(call, timeouts, most, pool, std::move(moved))) {}

WebSocketTransfer::~WebSocketTransfer() = default;

int WebSocketTransfer::status() const { return state_->status(); }

const std::string& WebSocketTransfer::retry_after() const { return state_->retry_after(); }

const std::string& WebSocketTransfer::error_type() const { return state_->error_type(); }

std::string& WebSocketTransfer::body() { return state_->body(); }

void WebSocketTransfer::pause(bool paused) { state_->pause(paused); }

std::optional<TransferEnd> WebSocketTransfer::end() const { return state_->end(); }

}  // namespace splitproof::server
