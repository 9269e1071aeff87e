#include "proxy/server/transfer.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "proxy/server/response_reader.hpp"
#include "proxy/server/unpacker.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::server {
namespace {

using Clock = EventLoop::Clock;
using Io = UpstreamChannel::Io;
using std::chrono::milliseconds;

std::string request_text(const UpstreamPost& call, const UpstreamAddress& address, bool forwarded) {
  std::string text = fmt::format(
      "POST {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: splitproof-proxy\r\nAccept-Encoding: identity\r\n"
      "Content-Type: application/json\r\nAccept: {}\r\n",
      forwarded ? address.origin + address.path : address.path, address.host, call.accepted);
  for (const std::string& header : call.headers) text += header + "\r\n";
  text += fmt::format("Content-Length: {}\r\n\r\n", call.body.size());
  return text += call.body;
}

}  // namespace

class Transfer::State final : UpstreamChannel::User {
 public:
  State(const UpstreamPost& call, const UpstreamTimeouts& timeouts, UpstreamPool& pool,
        std::function<void()> told)
      : pool_(pool),
        loop_(pool.loop()),
        moved_(std::move(told)),
        timeouts_(timeouts),
        address_(upstream_address(call.url)),
        request_(request_text(call, address_, pool.is_forwarded(address_))),
        patience_(loop_, [this] { look_at_the_clock(); }) {
    connection_ = pool_.take_idle(address_, *this);
    used_ = connection_ != nullptr;
    if (used_)
      begin();
    else
      connection_ = pool_.connect(address_, timeouts_.connect, *this);
  }

  ~State() override { pool_.give_back(std::move(connection_), false); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  int status() const { return status_; }
  const std::string& retry_after() const { return reader_->retry_after(); }
  const std::string& error_type() const { return reader_->error_type(); }
  std::string& body() { return body_; }
  std::optional<TransferEnd> end() const { return end_; }

  void pause(bool paused) {
    if (std::exchange(paused_, paused) == paused || end_) return;
    wait();
    restart_patience();
  }

 private:
  void connected(std::optional<UpstreamChannel::Failure> failure) override {
    if (failure) {
      finish(*failure == UpstreamChannel::Failure::late ? TransferEnd::unconnected
                                                        : TransferEnd::unreachable);
      return moved_();
    }
    begin();
  }

  void ready() override {
    if (end_) return;
    send();
    if (paused_) return;
    if (receive()) moved_();
  }

  void begin() {
    began_ = Clock::now();
    sending_ = true;
    restart_patience();
    send();
  }

  // A broken connection may still hold an answer, such as a refusal of a large request. Reading shows it.
  void send() {
    if (unsent().empty()) return;
    std::string_view rest = unsent();
    const Io io = connection_->send(rest);
    sent_ = request_.size() - rest.size();
    if (io == Io::broken) broken_ = true;
    wait();
  }

  // True if something has come, or the transfer has ended.
  bool receive() {
    std::string bytes;
    switch (connection_->receive(bytes)) {
      case Io::again:
        return false;
      case Io::done:
        return take(bytes);
      case Io::closed:
        return lose(reader_->close() == ResponseReader::State::whole ? TransferEnd::complete
                                                                     : TransferEnd::closed);
      case Io::broken:
        return lose(TransferEnd::reset);
    }
    return false;
  }

  bool take(std::string_view bytes) {
    // Bytes that arrive before the upstream has the whole request can only be a refusal.
    const bool early = !reader_->begun() && !(unsent().empty() && connection_->delivered());
    unasked_ = unasked_ || early;
    came_ += bytes.size();
    const bool in_head = status_ == 0;
    const auto state = reader_->take(bytes, unpacker_ ? packed_ : body_);
    if (in_head && reader_->status() != 0) {
      if (is_timed_out()) return lose(TransferEnd::closed);
      if (unasked_ && reader_->status() < 400) return finish(TransferEnd::garbled);
      if (!read_coding()) return finish(TransferEnd::garbled);
      status_ = reader_->status();
      if (unsent().empty()) release_request();
    }
    if (unpacker_ && !unpack()) return true;
    if (state == ResponseReader::State::malformed) return finish(TransferEnd::garbled);
    if (state != ResponseReader::State::whole) return true;
    reusable_ = reader_->keeps_open() && bytes.empty() && unsent().empty() && !broken_ && !unasked_;
    return finish(TransferEnd::complete);
  }

  void release_request() {
    wire::empty(request_);
    sent_ = 0;
  }

  // RFC 9110, 15.5.9: the upstream was about to close a connection after waiting too long.
  bool is_timed_out() const { return reader_->status() == 408 && can_repeat(); }

  bool can_repeat() const { return used_ && Clock::now() - began_ <= kAtOnce; }

  bool read_coding() {
    const std::string& coding = reader_->coding();
    if (coding.empty() || coding == "identity") return true;
    if (!can_unpack(coding)) return false;
    unpacker_.emplace();
    // Part of the body came with the head.
    packed_.swap(body_);
    return true;
  }

  bool unpack() {
    const bool unpacked = unpacker_->take(packed_, body_);
    packed_.clear();
    if (!unpacked) finish(unpacker_->swollen() ? TransferEnd::swollen : TransferEnd::garbled);
    return unpacked;
  }

  // Handles the end of the connection. Returns false if the request is sent once more.
  bool lose(TransferEnd how) {
    const bool unanswered = !reader_->begun() || is_timed_out();
    if (!unanswered || !can_repeat()) return finish(how);
    pool_.give_back(std::move(connection_), false);
    used_ = sending_ = broken_ = unasked_ = false;
    patience_.clear();  // connecting has its own limit
    sent_ = 0;
    reader_.emplace();
    body_.clear();
    connection_ = pool_.connect(address_, timeouts_.connect, *this);
    return false;
  }

  bool finish(TransferEnd how) {
    end_ = how;
    patience_.clear();
    pool_.give_back(std::move(connection_), how == TransferEnd::complete && reusable_);
    return true;
  }

  // A paused transfer has no timeout.
  void look_at_the_clock() {
    if (progress() == seen_ && !paused_) {
      finish(TransferEnd::silent);
      return moved_();
    }
    restart_patience();
  }

  // Connecting has its own limit.
  void restart_patience() {
    seen_ = progress();
    if (sending_) patience_.set(loop_.now() + timeouts_.idle);
  }

  std::size_t progress() const { return sent_ + came_; }

  std::string_view unsent() const {
    return broken_ ? std::string_view() : std::string_view(request_).substr(sent_);
  }

  void wait() {
    if (connection_ != nullptr) connection_->wait_for(!paused_, !unsent().empty());
  }

  UpstreamPool& pool_;
  EventLoop& loop_;
  const std::function<void()> moved_;
  const UpstreamTimeouts timeouts_;
  const UpstreamAddress address_;
  std::string request_;
  std::size_t sent_ = 0;  // bytes of `request_`
  EventLoop::Timer patience_;
  std::unique_ptr<UpstreamChannel> connection_;  // null: it has ended
  std::optional<ResponseReader> reader_{std::in_place};
  std::optional<Unpacker> unpacker_;
  std::string packed_;  // compressed bytes of the body
  std::string body_;
  int status_ = 0;
  std::optional<TransferEnd> end_;
  Clock::time_point began_;  // time of the first attempt to send
  std::size_t came_ = 0;     // received bytes
  std::size_t seen_ = 0;     // `progress` when `patience_` was set
  bool sending_ = false;     // the connection is established
  bool used_ = false;        // the connection has carried another exchange
  bool broken_ = false;      // the upstream takes no more of the request
  bool unasked_ = false;     // the answer began before the upstream had the request
  bool paused_ = false;      // by the transfer's owner
  bool reusable_ = false;    // the connection can carry another exchange
};

Transfer::Transfer(const UpstreamPost& call, const UpstreamTimeouts& timeouts, UpstreamPool& pool,
                   std::function<void()> moved)
    : state_(std::make_unique<State>(call, timeouts, pool, std::move(moved))) {}

Transfer::~Transfer() = default;

int Transfer::status() const { return state_->status(); }

const std::string& Transfer::retry_after() const { return state_->retry_after(); }

const std::string& Transfer::error_type() const { return state_->error_type(); }

std::string& Transfer::body() { return state_->body(); }

void Transfer::pause(bool paused) { state_->pause(paused); }

std::optional<TransferEnd> Transfer::end() const { return state_->end(); }

}  // namespace splitproof::server
