#include "proxy/server/relayed_request.hpp"

#include <utility>

#include "proxy/names/in_place.hpp"
#include "proxy/server/websocket_transfer.hpp"
#include "proxy/wire/empty.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/secret.hpp"

namespace splitproof::server {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kErrorBytes = 65536;  // limit of an upstream's error body
constexpr std::size_t kEventBytes = 384;    // typical growth of an event in the client's protocol
constexpr milliseconds kBehindTheEnd{
    20};  // time for bytes after the end of a message, which come at once or never

turn::BodyEnd body_end(TransferEnd end) {
  switch (end) {
    case TransferEnd::complete:
      return turn::BodyEnd::complete;
    case TransferEnd::closed:
      return turn::BodyEnd::closed;
    case TransferEnd::silent:
      return turn::BodyEnd::stall;
    case TransferEnd::swollen:
      return turn::BodyEnd::swollen;
    default:
      return turn::BodyEnd::reset;
  }
}

std::unique_ptr<UpstreamExchange> begin_exchange(const UpstreamPost& post, const ServerSettings& settings,
                                                 UpstreamPool& pool, std::function<void()> moved) {
  if (post.socket == nullptr)
    return std::make_unique<Transfer>(post, settings.timeouts, pool, std::move(moved));
  return std::make_unique<WebSocketTransfer>(
      post, settings.timeouts, settings.translator.rules.limits.event_bytes, pool, std::move(moved));
}

bool is_success(int status) { return status >= 200 && status < 300; }

}  // namespace

RelayedRequest::RelayedRequest(const UpstreamCall& call, const ServerSettings& settings, EventLoop& loop,
                               UpstreamPool& pool, std::function<void()> changed)
    : settings_(settings),
      loop_(loop),
      changed_(std::move(changed)),
      streamed_(call.streamed),
      options_(call.options),
      translator_(options_),
      transfer_(begin_exchange(call.post, settings, pool, [this] { moved(); })),
      timer_(loop, [this] { look_at_the_clock(); }),
      sent_(loop.now()) {
  // The translator has copied what it needs. These values may be large.
  options_.functions = {};
  options_.reply.echo = {};
}

RelayedRequest::~RelayedRequest() = default;

void RelayedRequest::moved() {
  if (over_ || transfer_ == nullptr) {
    if (transfer_ != nullptr) wire::empty(transfer_->body());
  } else {
    advance();
  }
  changed_();
}

// Processes what the upstream has sent.
void RelayedRequest::advance() {
  UpstreamExchange& transfer = *transfer_;
  const auto end = transfer.end();
  if (transfer.status() == 0) {
    if (end) decide(failed_before_its_head(*end));
  } else if (!is_success(transfer.status())) {
    if (end || transfer.body().size() > kErrorBytes)
      decide(upstream_error(options_, transfer.status(), transfer.body(), transfer.retry_after(),
                            transfer.error_type()));
  } else if (!streamed_ && options_.relays()) {
    if (end || transfer.body().size() > settings_.limits.answer_bytes)
      decide(passed_on(std::move(transfer.body())));
  } else {
    read_stream();
  }
}

void RelayedRequest::read_stream() {
  std::string& body = transfer_->body();
  events_.reserve(events_.size() + body.size() + kEventBytes);
  translator_.set_time(unix_seconds(std::chrono::system_clock::now()));
  translator_.feed(body, events_);
  wire::empty(body);
  over_ = translator_.over();
  if (over_) keep_told();
  if (const auto end = transfer_->end(); end && !over_) finish(body_end(*end));
  if (ended() && !over_) timer_.set(loop_.now() + kBehindTheEnd);
  if (!streamed_) {
    if (over_)
      decide(options_.client->whole_answer(events_));
    else if (events_.size() > settings_.limits.answer_bytes)
      decide(error(turn::ErrorKind::api, "the answer is larger than the limit for one message"));
  } else if (stage_ == Stage::waiting && (over_ || !events_.empty())) {
    if (translator_.made_it_all()) {
      if (auto error = options_.client->lone_error(events_)) return decide(std::move(*error));
    }
    stage_ = Stage::stream;
  }
}

void RelayedRequest::look_at_the_clock() {
  if (settling_) {
    give_up();
  } else if (over_ || stage_ != Stage::stream) {
    return;
  } else if (ended()) {
    finish(turn::BodyEnd::complete);
  } else if (loop_.now() - sent_ >= settings_.ping) {
    translator_.write_ping(events_);
  } else {
    timer_.set(sent_ + settings_.ping);
    return;
  }
  changed_();
}

void RelayedRequest::sent() {
  sent_ = loop_.now();
  if (!over_ && !ended()) timer_.set(sent_ + settings_.ping);
}

void RelayedRequest::pause(bool paused) {
  if (transfer_ != nullptr && !over_) transfer_->pause(paused);
}

bool RelayedRequest::settled() const { return transfer_ == nullptr || transfer_->end().has_value(); }

void RelayedRequest::settle() {
  transfer_->pause(false);
  settling_ = true;
  timer_.set(loop_.now() + kBehindTheEnd);
}

void RelayedRequest::stop() {
  if (over_) return;
  if (stage_ == Stage::stream) {
    finish(turn::BodyEnd::stopped);
  } else {
    Answer answer = error(turn::ErrorKind::api, "the proxy is shutting down");
    options_.client->set_status(answer, 503);
    decide(std::move(answer));
  }
  changed_();
}

void RelayedRequest::finish(turn::BodyEnd end) {
  translator_.finish(end, events_);
  over_ = true;
  keep_told();
}

void RelayedRequest::keep_told() {
  if (settings_.told != nullptr) settings_.told->keep(options_.secret, translator_.told());
}

void RelayedRequest::decide(Answer answer) {
  // The rest of the upstream's answer is useless now.
  if (!over_ && !transfer_->end()) give_up();
  over_ = true;
  stage_ = Stage::answer;
  if (answer.status >= 400) wire::conceal(answer.body, options_.secret);
  answer_ = std::move(answer);
  wire::empty(events_);
}

void RelayedRequest::give_up() {
  loop_.later([dead = std::shared_ptr<UpstreamExchange>(std::move(transfer_))] {});
}

Answer RelayedRequest::passed_on(std::string body) const {
  if (body.size() > settings_.limits.answer_bytes)
    return error(turn::ErrorKind::api, "the answer is larger than the limit for one message");
  if (transfer_->end() != TransferEnd::complete)
    return error(turn::ErrorKind::api, "the upstream's answer ended early");
  if (wire::check_json(body, options_.rules.limits.json_depth) != wire::JsonFault::none)
    return error(turn::ErrorKind::api, "the upstream's answer is not JSON");
  if (!options_.tool_map.empty())
    body = names::tell_in_place(options_.tool_map, options_.upstream->tools_in_place->answer, body,
                                options_.rules.limits.json_depth);
  return {transfer_->status(), std::move(body)};
}

Answer RelayedRequest::error(turn::ErrorKind kind, std::string_view message) const {
  return options_.client->error(kind, message);
}

Answer RelayedRequest::failed_before_its_head(TransferEnd end) const {
  switch (end) {
    case TransferEnd::unreachable:
      return error(turn::ErrorKind::api, "the proxy cannot connect to the upstream");
    case TransferEnd::unconnected:
      return error(turn::ErrorKind::timeout, "the upstream did not accept the connection in time");
    case TransferEnd::silent:
      return error(turn::ErrorKind::timeout, "the upstream did not answer in time");
    case TransferEnd::garbled:
      return error(turn::ErrorKind::api, "the upstream's answer is not a valid HTTP response");
    default:
      return error(turn::ErrorKind::api, "the upstream closed the connection without an answer");
  }
}

}  // namespace splitproof::server
