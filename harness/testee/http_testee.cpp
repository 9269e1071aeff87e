#include "harness/testee/http_testee.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/testee/answer_id.hpp"
#include "harness/testee/answer_limit.hpp"
#include "harness/testee/client_request.hpp"
#include "harness/testee/connection_trial.hpp"
#include "harness/testee/credentials.hpp"
#include "harness/testee/exchange_script.hpp"
#include "harness/testee/installation.hpp"
#include "harness/testee/socket_trials.hpp"
#include "harness/testee/target_setup.hpp"

namespace splitproof::testee {
namespace {

constexpr int kOk = 200;
constexpr auto kAnswers = std::chrono::seconds(1);
constexpr auto kEnds = std::chrono::milliseconds(300);
constexpr auto kDies = std::chrono::milliseconds(200);  // some programs end a moment after a complete answer
constexpr auto kAskAgain = std::chrono::milliseconds(5);
constexpr int kTimeoutsOfAHang = 5;  // it hangs up to three times until it is proven, and starts again
constexpr int kPatience = 2;         // timeouts of an exchange that runs again, alone: processors may be busy
constexpr std::chrono::milliseconds kShortestTimeout{1500};
constexpr auto kShortSilence = std::chrono::seconds(1);  // once the time for hangs is spent
constexpr auto kMoment = std::chrono::milliseconds(20);  // between two checks for a stop
constexpr std::size_t kKeepsOpen = 8;                    // after so many open connections, expect more
constexpr std::size_t kMostOfAnswer = 200;               // shown bytes of the first answer

// In every request's target, so an answer with it serves every request.
constexpr const char* kAnyRequest = "/";

// Returns the upstream's answer to the trial request: a stream of one word, if the protocol is known here.
ResponseScript trial_answer(const std::string& protocol) {
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(protocol);
  if (upstream == nullptr)
    return json_response(
        400, R"({"type":"error","error":{"type":"invalid_request_error","message":"this is a trial"}})");
  ResponseScript script;
  script.headers = {{"content-type", std::string(upstream->content_type())}};
  script.pieces = upstream->tiny_answer();
  return script;
}

// Returns the response for calls without a stream, if the exchange has one.
std::optional<OtherResponse> whole_answer_of(const Exchange& exchange, const std::string& upstream) {
  if (exchange.in_one_piece.empty()) return std::nullopt;
  return OtherResponse{json_response(kOk, exchange.in_one_piece), [upstream](const UpstreamRequest& request) {
                         return !dialect::asks_for_stream(upstream, request.target, request.body);
                       }};
}

}  // namespace

HttpTestee::HttpTestee(TargetFile file, Supervisor& supervisor, const StopToken& stop,
                       const HttpTimeouts& timeouts)
    : Testee({.name = file.name,
              .client = file.client,
              .upstream = file.upstream,
              .over_http = true,
              .outside = true,
              .cannot = file.cannot,
              .model = file.model,
              .is_started_here = !file.command.empty(),
              .max_concurrency = 1,
              .can_overlap = false,
              .client_socket = file.client_socket,
              .upstream_socket = file.upstream_socket}),
      file_(std::move(file)),
      timeouts_(timeouts),
      supervisor_(supervisor),
      runs_on_(&supervisor),
      stop_(stop) {}

Result<void> HttpTestee::start() {
  const Result<std::string> request = client_request(file_.client, nullptr, file_.model, "");
  if (!request) return tl::unexpected(request.error());
  if (!file_.has_network) {
    const Result<Supervisor*> apart = supervisor_.without_network();
    if (!apart) return tl::unexpected(apart.error());
    runs_on_ = *apart;
  }
  StandInSettings settings;
  settings.network = &runs_on_->network();
  if (file_.upstream_socket) settings.socket = dialect::socket_form_of(file_.upstream);
  settings.timeouts.hold = std::chrono::hours(1);  // the hold watch decides
  settings.timeouts.stall = std::chrono::hours(1);
  if (!file_.upstream_listen.empty()) {
    const Result<HttpAddress> upstream = http_address("http://" + file_.upstream_listen);
    if (!upstream) return tl::unexpected(upstream.error());
    settings.host = upstream->host;
    settings.port = upstream->port;
  }
  Result<std::unique_ptr<StandIn>> stand_in = StandIn::start(std::move(settings));
  if (!stand_in) return tl::unexpected(stand_in.error());
  stand_in_ = *std::move(stand_in);
  const Result<Installation> installation = install(file_, supervisor_, stop_);
  if (!installation) return tl::unexpected(installation.error());
  version_ = installation->version;
  Result<std::unique_ptr<RunningTarget>> target =
      RunningTarget::start(file_, *installation, stand_in_->base_url(), *runs_on_, stop_);
  if (!target) return tl::unexpected(target.error());
  target_ = *std::move(target);
  address_ = *http_address(target_->base_url(), runs_on_->network());
  if (Result<void> ready = set_up(); !ready) return ready;
  salt_ = std::random_device()();
  try_out();
  try_sockets();
  if (is_stopped()) return tl::unexpected(Error{"stopped", file_.path, 0, {}});
  const Headers handshake = upgrade_headers(file_.client);
  if (!handshake.empty() && !file_.client_socket)
    upgrade_ = status_of_get(address_, file_.request_path, stop_, within(kAnswers), handshake);
  return {};
}

Result<void> HttpTestee::set_up() const {
  return testee::set_up(file_, target_->places(), address_, *runs_on_, stop_);
}

// Requests with the token get the first answer, all others the second.
void HttpTestee::try_out() {
  const std::string token = new_token();
  const auto passed_on = stand_in_->prepare(token, trial_answer(file_.upstream));
  const auto otherwise = stand_in_->prepare(kAnyRequest, trial_answer(file_.upstream));
  const Result<std::string> request = client_request(file_.client, nullptr, file_.model, token);
  const Reply reply = send(*request, Exchange(), {}, stop_, file_.timeout);
  stand_in_->withdraw(passed_on);
  stand_in_->withdraw(otherwise);
  for (const auto& answer : {passed_on, otherwise}) settle(*answer, timeouts_.settling);
  passes_token_ = traits_.can_overlap = !passed_on->served().empty();
  traits_.max_concurrency = passes_token_ ? std::max<std::size_t>(file_.max_concurrency, 1) : 1;
  if (passes_token_) return;
  trial_ = "one exchange at a time: ";
  if (!otherwise->served().empty()) {
    trial_ += "its request to the upstream lacks the text of the client's message";
  } else {
    trial_ += "it answered a test request without its upstream, ";
    trial_ += reply.http ? "with status " + std::to_string(reply.http->status) : reply.detail;
    if (!reply.body.empty()) trial_ += " and the answer: " + reply.body.substr(0, kMostOfAnswer);
  }
}

std::string HttpTestee::new_token() const { return request_token(salt_, tokens_++); }

std::string HttpTestee::remark() const {
  std::vector<std::string> parts;
  if (!version_.empty()) parts.push_back("version: " + version_);
  if (const std::string calls = remark_on_calls(*runs_on_); !calls.empty()) parts.push_back(calls);
  if (stand_in_ != nullptr && !stand_in_->unproven().empty()) {
    parts.push_back("boundaries unproven: " + stand_in_->unproven());
  } else if (inexact_) {
    parts.push_back("boundaries unproven: the kernel does not show the sockets of the target");
  }
  if (!trial_.empty()) parts.push_back(trial_);
  if (kept_open_ >= kKeepsOpen)
    parts.push_back("it keeps connections open that it should close, so splitproof waits " +
                    std::to_string(timeouts_.kept_open.count()) + " ms after each answer");
  {
    const std::shared_lock under_way(under_way_);
    if (starts_ > 0)
      parts.push_back("restarted " + std::to_string(starts_) + (starts_ == 1 ? " time" : " times"));
    if (cooled_ > 0)
      parts.push_back("it stopped calling its upstream after errors, and called again after a restart");
    if (slow_ > 0)
      parts.push_back("hung " + std::to_string(slow_) + (slow_ == 1 ? " time" : " times") +
                      " in parallel exchanges, and answered alone");
  }
  std::string remark;
  for (const std::string& part : parts) remark += (remark.empty() ? "" : "; ") + part;
  return remark;
}

void HttpTestee::limit_hangs(std::chrono::milliseconds total) {
  hang_limit_ = total;
  if (file_.timeout == TargetFile().timeout)
    file_.timeout = std::clamp(total / kTimeoutsOfAHang, kShortestTimeout, file_.timeout);
}

// Returns how long an exchange that begins now waits for its next byte.
std::chrono::milliseconds HttpTestee::patience() const {
  return hang_time_.load() < hang_limit_ ? file_.timeout
                                         : std::min<std::chrono::milliseconds>(kShortSilence, file_.timeout);
}

Observation HttpTestee::observe(const Exchange& exchange) const {
  const OwnAnswerId own(exchange, (std::uint64_t{salt_} << 32) + answers_++);
  Observation seen = observe_as_given(own.exchange());
  own.restore(seen);
  return seen;
}

Observation HttpTestee::observe_as_given(const Exchange& exchange) const {
  const auto began = std::chrono::steady_clock::now();
  const std::chrono::milliseconds silence = patience();
  std::size_t starts = 0;
  Observation seen;
  {
    std::unique_lock turnstile(turnstile_);
    const std::shared_lock under_way(under_way_);
    turnstile.unlock();
    if (!unavailable_.empty()) return unavailable();
    starts = starts_;
    seen = run_once(exchange, silence);
  }
  if (seen.ending == Ending::crashed) return run_again(exchange, starts, seen);
  {
    const std::lock_guard lock(last_mutex_);
    last_ended_ = exchange.name;
  }
  if (seen.ending == Ending::hung) {
    seen = run_alone(exchange, starts, silence);
    const auto took = std::chrono::steady_clock::now() - began;
    hang_time_ = hang_time_.load() + std::chrono::duration_cast<std::chrono::milliseconds>(took);
    // So short a silence does not prove that it hangs.
    if (seen.ending == Ending::hung && silence < file_.timeout) {
      seen.ending = Ending::skipped;
      seen.detail += ", and the run has no time left to prove that it hangs";
    }
    return seen;
  }
  const bool refused = exchange.status && seen.calls.empty() && seen.ending == Ending::complete;
  return refused && may_cool_down_ && !file_.command.empty() ? retry_after_cooldown(exchange, starts) : seen;
}

// A testee that does not call an upstream after a refusal may be in a cooldown. After a restart, it calls
// again. If it does not, there is another reason.
Observation HttpTestee::retry_after_cooldown(const Exchange& exchange, std::size_t starts) const {
  const std::lock_guard turnstile(turnstile_);
  const std::lock_guard alone(under_way_);
  start_again(starts);
  if (!unavailable_.empty()) return unavailable();
  Observation seen = run_once(exchange, file_.timeout);
  if (seen.calls.empty()) {
    may_cool_down_ = false;
  } else {
    ++cooled_;
  }
  return seen;
}

// A testee that answers now was only slow under load. Otherwise it is stuck, and is restarted. If it does not
// hang then, this exchange was not the reason.
Observation HttpTestee::run_alone(const Exchange& exchange, std::size_t starts,
                                  std::chrono::milliseconds silence) const {
  const std::lock_guard turnstile(turnstile_);
  const std::lock_guard alone(under_way_);
  if (starts == starts_ && unavailable_.empty() && !is_stopped()) {
    bool endless = false;
    Observation seen = run_once(exchange, kPatience * silence, &endless);
    if (seen.ending != Ending::hung && seen.ending != Ending::crashed) {
      ++slow_;
      return seen;
    }
    if (endless) {
      start_again(starts_);
      return seen;
    }
    const bool proven = seen.ending == Ending::crashed || silence == file_.timeout;
    if (proven && !is_stopped()) mishaps_[starts] = {seen.ending, seen.detail, {}, exchange.name};
  }
  start_again(starts);
  if (!unavailable_.empty()) return unavailable();
  Observation seen = run_once(exchange, silence);
  if (seen.ending != Ending::crashed && seen.ending != Ending::hung) return seen;
  mishaps_.erase(starts);
  start_again(starts_);
  return seen;
}

// The first exchange that a crash broke off records the crash. The exchange that crashes it again removes the
// record. If the testee was dead before the request, the exchange that ended last is named.
Observation HttpTestee::run_again(const Exchange& exchange, std::size_t starts,
                                  const Observation& broken_off) const {
  const std::lock_guard turnstile(turnstile_);
  const std::lock_guard alone(under_way_);
  if (starts == starts_ && unavailable_.empty() && !is_stopped()) {
    ExitReport last = farewell();
    const bool was_dead = broken_off.detail.starts_with(kNobodyListens);
    const std::lock_guard lock(last_mutex_);
    mishaps_[starts] = {Ending::crashed, std::move(last.how), std::move(last.said),
                        was_dead && !last_ended_.empty() ? last_ended_ : exchange.name};
  }
  start_again(starts);
  // A newer exchange may have ended it, too.
  if (!file_.command.empty() && !target_->running()) start_again(starts_);
  if (!unavailable_.empty()) return unavailable();
  Observation seen = run_once(exchange, file_.timeout);
  if (seen.ending == Ending::complete && mishaps_.contains(starts) && ends_within(kDies)) {
    seen.ending = Ending::crashed;
    seen.detail = "the program ended after its answer";
  }
  if (seen.ending != Ending::crashed && seen.ending != Ending::hung) return seen;
  if (seen.ending == Ending::crashed) {
    const ExitReport last = farewell();
    if (!last.how.empty()) seen.detail += "; it ended with " + last.how;
    if (!last.said.empty()) seen.detail += "; its last output: " + last.said;
    mishaps_.erase(starts);
  }
  start_again(starts_);
  return seen;
}

bool HttpTestee::is_stopped() const {
  return sleep_until(stop_, std::chrono::steady_clock::now()) == Io::stopped;
}

// Waits for the end of the program. Returns true if it has ended.
bool HttpTestee::ends_within(std::chrono::milliseconds time) const {
  const Deadline deadline = within(time);
  while (target_->running() && !has_passed(deadline)) sleep_until(stop_, within(kAskAgain));
  return !target_->running();
}

HttpTestee::ExitReport HttpTestee::farewell() const {
  if (!file_.command.empty()) ends_within(kEnds);  // another process reports it
  ExitReport last{target_->end(), {}};
  std::istringstream said(target_->said_last());
  for (std::string line; std::getline(said, line);) {
    const std::string_view bare = without_blanks(line);
    if (!bare.empty()) last.said.append(last.said.empty() ? "" : " | ").append(bare);
  }
  return last;
}

std::vector<UnattributedFailure> HttpTestee::mishaps() const {
  const std::shared_lock under_way(under_way_);
  std::vector<UnattributedFailure> all;
  for (const auto& entry : mishaps_) all.push_back(entry.second);
  return all;
}

// Does nothing if another exchange has already restarted it since `starts`.
void HttpTestee::start_again(std::size_t starts) const {
  if (starts != starts_ || !unavailable_.empty()) return;
  ++starts_;
  restart();
}

void HttpTestee::start_over() const {
  const std::lock_guard turnstile(turnstile_);
  const std::lock_guard alone(under_way_);
  if (unavailable_.empty()) restart();
}

void HttpTestee::restart() const {
  if (const Result<void> started = target_->restart(); !started) {
    unavailable_ = describe(started.error());
  } else {
    address_ = *http_address(target_->base_url(), runs_on_->network());
    if (const Result<void> ready = set_up(); !ready) unavailable_ = describe(ready.error());
  }
}

Observation HttpTestee::unavailable() const {
  Observation seen;
  seen.ending = Ending::unavailable;
  seen.detail = unavailable_;
  return seen;
}

// A crash leaves a cut connection, and the kernel may still accept connections for the ending program. A
// testee that answers is alive. Otherwise, waits for its end.
bool HttpTestee::is_gone() const {
  const std::string path = file_.ready_path.empty() ? "/" : file_.ready_path;
  if (target_->running() && status_of_get(address_, path, stop_, within(kAnswers)) != 0) return false;
  const Deadline deadline = within(kEnds);
  while (target_->running() && accepts(address_, stop_, deadline)) {
    if (sleep_until(stop_, within(kAskAgain)) == Io::stopped) return false;
    if (std::chrono::steady_clock::now() >= deadline) return false;
  }
  return true;
}

Headers HttpTestee::sent_headers() const {
  Headers headers;
  for (const Header& header : file_.headers)
    headers.push_back({header.name, filled(header.value, target_->places())});
  for (const Header& header : client_headers(file_.client))
    if (find_header(file_.headers, header.name) == nullptr) headers.push_back(header);
  return headers;
}

std::vector<Reply> HttpTestee::send_all_over_socket(const std::vector<std::string>& bodies,
                                                    const SocketSending& sending, const Exchange& exchange,
                                                    const ClientEvents& events, const StopToken& leave,
                                                    const ClientTimeouts& timeouts) const {
  Post request{file_.request_path, sent_headers(), bodies.front()};
  for (const Header& header : upgrade_headers(file_.client)) request.headers.push_back(header);
  request.most_of_answer = most_of_answer(exchange);
  return converse(address_, request, {bodies.begin() + 1, bodies.end()},
                  *dialect::socket_form_of(file_.client), sending, timeouts, events, leave);
}

Reply HttpTestee::send(const std::string& body, const Exchange& exchange, const ClientEvents& events,
                       const StopToken& leave, std::chrono::milliseconds silence) const {
  ClientTimeouts timeouts;
  timeouts.silence = silence + time_of_pauses(exchange);
  timeouts.whole = longest_exchange(exchange, file_.timeout);
  timeouts.closing = kept_open_ < kKeepsOpen ? timeouts_.closing : timeouts_.kept_open;
  Reply reply;
  if (file_.client_socket) {
    reply = send_all_over_socket({body}, {}, exchange, events, leave, timeouts).back();
  } else {
    dialect::ClientCall call = client_call(file_.client, file_.request_path, body);
    Post request{std::move(call.path), {{"content-type", "application/json"}}, std::move(call.body)};
    request.most_of_answer = most_of_answer(exchange);
    for (Header& header : sent_headers()) request.headers.push_back(std::move(header));
    reply = post(address_, request, timeouts, events, leave);
  }
  if (reply.ending == Ending::complete) kept_open_ = reply.kept_open ? kept_open_ + 1 : 0;
  return reply;
}

void HttpTestee::try_sockets() {
  if (!file_.client_socket && !file_.upstream_socket) return;
  const auto ask = [this](const std::vector<std::string>& tokens, const SocketSending& sending,
                          std::chrono::milliseconds silence) {
    std::vector<std::string> bodies;
    for (const std::string& token : tokens)
      bodies.push_back(*client_request(file_.client, nullptr, file_.model, passes_token_ ? token : ""));
    if (!file_.client_socket) return std::vector<Reply>{send(bodies.front(), Exchange(), {}, stop_, silence)};
    ClientTimeouts timeouts;
    timeouts.silence = silence;
    timeouts.whole = longest_exchange(Exchange(), file_.timeout);
    return send_all_over_socket(bodies, sending, Exchange(), {}, stop_, timeouts);
  };
  // Without a token, requests get the answers in their order.
  socket_trials_ = testee::try_sockets(
      {*stand_in_, file_.upstream, file_.client_socket, file_.upstream_socket,
       [this] { return passes_token_ ? new_token() : std::string(); }, ask, file_.timeout});
}

// Waits until the testee has finished with its upstream, then ends responses in progress. A stop ends the
// wait.
void HttpTestee::settle(PreparedAnswer& answer, std::chrono::milliseconds wait) const {
  const Deadline deadline = within(wait);
  while (!answer.wait_until_idle(kMoment) && !has_passed(deadline) && !is_stopped()) {
  }
  answer.give_up();
  answer.wait_until_idle(timeouts_.settling);
}

std::shared_ptr<const TrialEvidence> HttpTestee::try_connections(const ConnectionTrial& trial) const {
  auto evidence = std::make_shared<TrialEvidence>();
  TrialEvidence& seen = *evidence;
  const std::lock_guard turnstile(turnstile_);
  const std::lock_guard alone(under_way_);
  if (!unavailable_.empty()) {
    seen.lost = unavailable_;
    return evidence;
  }
  const auto ask = [&](const std::string& token, const StopToken& leave,
                       const std::function<void(std::string_view)>& read) {
    TrialReply reply;
    const Result<std::string> body = client_request(file_.client, trial.recording, file_.model, token);
    if (!body) {
      reply.ending = Ending::skipped;
      reply.detail = describe(body.error());
      return reply;
    }
    ClientEvents events;
    events.read = read;
    Reply got = send(*body, Exchange(), events, leave, file_.timeout);
    reply.ending = got.ending;
    reply.detail = std::move(got.detail);
    reply.status = got.http ? got.http->status : 0;
    reply.body = std::move(got.body);
    return reply;
  };
  ConnectionTrial measured = trial;
  measured.measures_memory = trial.measures_memory && !file_.command.empty();
  seen = make_trial(measured, {*stand_in_, passes_token_, [this] { return new_token(); }, ask, stop_});
  return evidence;
}

// Sets `endless` if the answer had no end although bytes came.
Observation HttpTestee::run_once(const Exchange& exchange, std::chrono::milliseconds silence,
                                 bool* endless) const {
  Observation seen;
  const std::string token = new_token();
  const Result<std::string> body = client_request(file_.client, exchange.recording, file_.model, token);
  if (!body) {
    seen.ending = Ending::skipped;
    seen.detail = describe(body.error());
    return seen;
  }
  const auto answer =
      stand_in_->prepare(passes_token_ ? token : kAnyRequest, script_of(exchange, "text/event-stream"),
                         whole_answer_of(exchange, file_.upstream));
  answer->keep_at_most(most_of_calls(body->size()));
  StopToken leave = StopToken::below(stop_);
  HoldWatch watch(exchange, *answer, leave, timeouts_.holds);
  ClientEvents events;
  events.read = [&](std::string_view downstream) { watch.read(downstream); };
  events.excused = [&] { return watch.last_release(); };
  Reply reply = send(*body, exchange, events, leave, silence);
  if (endless != nullptr) *endless = reply.endless;
  watch.client_ended();
  stand_in_->withdraw(answer);
  settle(*answer, watch.left() ? timeouts_.leaving : timeouts_.settling);

  if (reply.ending == Ending::left && !watch.left()) {  // nobody waits for the rest
    seen.ending = Ending::unavailable;
    seen.detail = "stopped";
    return seen;
  }
  const dialect::SocketForm* const socket =
      file_.client_socket ? dialect::socket_form_of(file_.client) : nullptr;
  seen.request = socket == nullptr ? *body : socket->asked(socket->asking(*body)).value_or(*body);
  seen.calls = calls_of(*answer, reply, watch.left());
  const Headers headers = sent_headers();
  for (UpstreamCall& call : seen.calls) call.client_secret_in = client_secret_in(headers, *body, call);
  seen.releases = watch.releases();
  seen.upgrade = upgrade_;
  seen.ending = reply.ending;
  seen.detail = std::move(reply.detail);
  seen.body = std::move(reply.body);
  seen.http = std::move(reply.http);
  seen.socket = std::move(reply.socket);
  seen.socket.insert(seen.socket.end(), socket_trials_.begin(), socket_trials_.end());
  for (const Served& served : answer->served())
    seen.socket.insert(seen.socket.end(), served.socket.begin(), served.socket.end());
  if (seen.ending == Ending::cut && is_gone()) seen.ending = Ending::crashed;
  if (std::string excess = answer->excess(); !excess.empty() && seen.ending != Ending::crashed) {
    seen.ending = Ending::garbage;
    seen.detail = std::move(excess);
  }
  return seen;
}

std::vector<UpstreamCall> HttpTestee::calls_of(const PreparedAnswer& answer, const Reply& reply,
                                               std::optional<Deadline> left) const {
  std::vector<UpstreamCall> calls;
  std::vector<Served> all = answer.served();
  for (Served& served : all) {
    UpstreamCall& call = calls.emplace_back();
    call.method = std::move(served.request.method);
    call.target = std::move(served.request.target);
    call.headers = std::move(served.request.headers);
    call.body = std::move(served.request.body);
    call.status = served.status;
    call.written = served.written;
    call.outcome = testee::name(served.outcome);
    call.exact = served.exact;
    if (!served.exact) inexact_ = true;
    if (reply.http) {
      const double came = seconds(reply.sent, served.came);
      for (const Read& read : reply.http->reads)
        if (read.at <= came) call.downstream = read.end;
    }
    if (left && served.outcome == ServingOutcome::client_left)
      call.left = std::max(0.0, seconds(*left, served.ended));
  }
  return calls;
}

}  // namespace splitproof::testee
