#include "proxy/server/relayed_request.hpp"

#include <algorithm>
#include <utility>

#include "proxy/wire/json.hpp"

namespace splitproof::server {
namespace {

constexpr std::size_t kErrorBytes = 65536;  // of an upstream's error body

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kNoLimit = milliseconds::max();
constexpr milliseconds kBehindTheEnd{
    20};  // what may follow the end of a message comes at once, or not at all

turn::BodyEnd body_end(TransferEnd end) {
  switch (end) {
    case TransferEnd::complete:
      return turn::BodyEnd::complete;
    case TransferEnd::closed:
      return turn::BodyEnd::closed;
    case TransferEnd::silent:
      return turn::BodyEnd::stall;
    default:
      return turn::BodyEnd::reset;
  }
}

bool is_success(int status) { return status >= 200 && status < 300; }

}  // namespace

RelayedRequest::RelayedRequest(const UpstreamPost& call, bool streamed, const TranslatorOptions& options,
                               const ServerSettings& settings, const ClientSocket& client, TransferPool& pool)
    : settings_(settings),
      client_(client),
      streamed_(streamed),
      key_(call.key),
      options_(options),
      translator_(options),
      transfer_(std::make_unique<Transfer>(call, settings.timeouts, pool)) {}

RelayedRequest::Begun RelayedRequest::begin() {
  // Until the head has come: what fails here is no stream yet.
  while (transfer_->status() == 0) {
    if (const auto end = transfer_->end()) return failed_before_its_head(*end);
    if (client_.stopping()) return failed_before_its_head(TransferEnd::reset);
    if (client_.gone()) return give_up();
    transfer_->wait(client_.watched(), client_.longest_wait());
  }
  if (!is_success(transfer_->status())) return refused();
  if (!streamed_ && options_.relays()) return passed_on();
  while (!over_ && (pending_.empty() || !streamed_)) {
    if (!advance(kNoLimit)) return Begun::gone;
    if (!streamed_ && pending_.size() > settings_.limits.answer_bytes)
      return decide(error(turn::ErrorKind::api, "the answer is larger than one message may be"));
  }
  if (!streamed_) return decide(options_.client->whole_answer(pending_));
  if (translator_.made_it_all()) {
    if (auto error = options_.client->lone_error(pending_)) return decide(std::move(*error));
  }
  return Begun::stream;
}

bool RelayedRequest::stream(const std::function<bool(std::string_view)>& send) {
  Clock::time_point sent = Clock::now();
  while (true) {
    if (!pending_.empty()) {
      if (!send(pending_)) break;
      sent = Clock::now();
    }
    pending_.clear();
    if (over_) return true;
    const auto silent = std::chrono::duration_cast<milliseconds>(Clock::now() - sent);
    const bool ended = translator_.ended();
    const milliseconds patience = ended ? kBehindTheEnd : settings_.ping;
    if (silent >= patience && ended) {
      finish(turn::BodyEnd::complete);
    } else if (silent >= patience) {
      translator_.write_ping(pending_);
    } else if (!advance(patience - silent)) {
      break;
    }
  }
  transfer_.reset();
  return false;
}

void RelayedRequest::settle() {
  if (transfer_ != nullptr && !client_.stopping()) transfer_->settle();
  transfer_.reset();
}

// Waits for the next thing the upstream does, at most so long, and translates it. False: the client has gone.
bool RelayedRequest::advance(milliseconds at_most) {
  if (std::string body = transfer_->take_body(); !body.empty()) {
    translator_.feed(body, pending_);
    over_ = translator_.over();
  } else if (const auto end = transfer_->end()) {
    finish(body_end(*end));
  } else if (client_.stopping()) {
    finish(turn::BodyEnd::reset);
  } else {
    transfer_->wait(client_.watched(), std::min(client_.longest_wait(), at_most));
  }
  if (!client_.gone()) return true;
  transfer_.reset();
  return false;
}

void RelayedRequest::finish(turn::BodyEnd end) {
  translator_.finish(end, pending_);
  over_ = true;
}

RelayedRequest::Begun RelayedRequest::give_up() {
  transfer_.reset();
  return Begun::gone;
}

RelayedRequest::Begun RelayedRequest::decide(Answer answer) {
  if (!over_ && !transfer_->end()) transfer_.reset();
  conceal(answer, key_);
  answer_ = std::move(answer);
  return Begun::answer;
}

// Reads what an answer without success has to say.
RelayedRequest::Begun RelayedRequest::refused() {
  const auto body = read_body(kErrorBytes);
  if (!body) return give_up();
  return decide(upstream_error(options_, transfer_->status(), *body, transfer_->header("retry-after")));
}

// Reads an answer that is no stream, and was not asked to be one.
RelayedRequest::Begun RelayedRequest::passed_on() {
  auto body = read_body(settings_.limits.answer_bytes);
  if (!body) return give_up();
  if (body->size() > settings_.limits.answer_bytes)
    return decide(error(turn::ErrorKind::api, "the answer is larger than one message may be"));
  if (transfer_->end() != TransferEnd::complete)
    return decide(error(turn::ErrorKind::api, "the upstream's answer broke off"));
  if (wire::check_json(*body, options_.rules.limits.json_depth) != wire::JsonFault::none)
    return decide(error(turn::ErrorKind::api, "the upstream's answer is not JSON"));
  return decide({transfer_->status(), std::move(*body)});
}

// Some more than `most` where there is more. None: the client has gone.
std::optional<std::string> RelayedRequest::read_body(std::size_t most) {
  std::string body = transfer_->take_body();
  while (!transfer_->end() && body.size() <= most && !client_.stopping()) {
    if (client_.gone()) return std::nullopt;
    transfer_->wait(client_.watched(), client_.longest_wait());
    body += transfer_->take_body();
  }
  return body;
}

Answer RelayedRequest::error(turn::ErrorKind kind, std::string message) const {
  return options_.client->error(kind, std::move(message));
}

RelayedRequest::Begun RelayedRequest::failed_before_its_head(TransferEnd end) {
  switch (end) {
    case TransferEnd::unreachable:
      return decide(error(turn::ErrorKind::api, "the upstream cannot be reached"));
    case TransferEnd::unconnected:
      return decide(error(turn::ErrorKind::timeout, "the upstream did not take the connection in time"));
    case TransferEnd::silent:
      return decide(error(turn::ErrorKind::timeout, "the upstream did not answer in time"));
    default:
      return decide(error(turn::ErrorKind::api, "the upstream closed the connection without an answer"));
  }
}

}  // namespace splitproof::server
