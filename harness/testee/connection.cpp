#include "harness/testee/connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "harness/testee/websocket_handshake.hpp"

namespace splitproof::testee {
namespace {

constexpr auto kBetweenUnprovenWrites = std::chrono::milliseconds(2);
constexpr auto kMoment =
    std::chrono::milliseconds(10);  // between two checks whether a wait still makes sense
constexpr auto kLongMoment = std::chrono::milliseconds(100);  // the same, if the wait itself is expensive

ServingOutcome outcome_of(Io io) {
  switch (io) {
    case Io::late:
      return ServingOutcome::not_read;
    case Io::gone:
      return ServingOutcome::client_left;
    case Io::stopped:
      return ServingOutcome::stopped;
    case Io::done:
      break;
  }
  return ServingOutcome::finished;
}

// Returns the response for this request. HTTP/1.0 gets no chunks. Without a prepared answer, nobody can
// release holds, so there are none.
ResponseScript script_for(const UpstreamRequest& request, const PreparedAnswer* answer,
                          const ResponseScript& otherwise) {
  ResponseScript script = answer != nullptr ? answer->script_for(request) : otherwise;
  if (!request.broken.empty()) {
    script = json_response(400, R"({"error":{"type":"invalid_request_error","message":"broken request: )" +
                                    request.broken + "\"}}");
  }
  if (answer == nullptr) script.holds.clear();
  if (!keeps_alive(request)) script.keep_alive = false;
  if (request.version == "HTTP/1.0" && script.framing == BodyFraming::chunked)
    script.framing = BodyFraming::close_delimited;
  return script;
}

WritePlan plan_for(const ResponseScript& script, const UpstreamRequest& request) {
  WritePlan plan = plan_writes(script);
  if (request.method != "HEAD") return plan;
  plan.bytes.resize(std::min(plan.bytes.size(), plan.head));
  plan.holds.clear();
  plan.pauses.clear();
  const auto beyond = std::lower_bound(plan.ends.begin(), plan.ends.end(), plan.bytes.size());
  plan.ends.erase(beyond, plan.ends.end());
  if (!plan.bytes.empty()) plan.ends.push_back(plan.bytes.size());
  return plan;
}

}  // namespace

IdleConnections::Wait::Wait(IdleConnections& idle, int socket) : idle_(idle) {
  const std::lock_guard lock(idle_.mutex_);
  place_ = idle_.sockets_.insert(idle_.sockets_.end(), socket);
}

IdleConnections::Wait::~Wait() {
  const std::lock_guard lock(idle_.mutex_);
  idle_.sockets_.erase(place_);
}

bool IdleConnections::end_longest() {
  const std::lock_guard lock(mutex_);
  const auto longest = std::find_if(sockets_.begin(), sockets_.end(), [](int socket) { return socket >= 0; });
  if (longest == sockets_.end()) return false;
  shutdown(*longest, SHUT_RDWR);
  *longest = -1;  // its thread removes it
  return true;
}

Connection::Connection(Descriptor socket, std::size_t number, const Service& service, const StopToken& stop)
    : socket_(std::move(socket)), number_(number), service_(service), stop_(stop) {
  if (service.exact) peer_ = PeerSocket::of(socket_.get(), *service.network);
}

void Connection::serve() {
  for (std::size_t turn = 1;; ++turn) {
    std::optional<UpstreamRequest> request = next_request();
    if (!request) return;
    if (service_.socket != nullptr && asks_for_websocket(*request)) return serve_socket(*request);
    const std::shared_ptr<PreparedAnswer> answer = service_.answers->find(*request);
    const ResponseScript script = script_for(*request, answer.get(), service_.otherwise);
    const WritePlan plan = plan_for(script, *request);
    const std::size_t attempt = answer != nullptr ? answer->begin() : 0;
    Served served;
    served.came = std::chrono::steady_clock::now();
    served.request = *std::move(request);
    served.connection = number_;
    served.turn = turn;
    served.status = script.status;
    served.exact = peer_.has_value();
    if (answer != nullptr && answer->act() && served.request.method == "POST") {
      const bool open = perform(*answer, steps_for(*answer->act(), attempt, turn), served);
      served.ended = std::chrono::steady_clock::now();
      service_.record(answer.get(), std::move(served));
      if (!open) return;
      continue;
    }
    served.outcome = play(answer.get(), script, plan, served);
    const bool finished = served.outcome == ServingOutcome::finished;
    end(script,
        finished);  // before record(), because a waiter for it expects the script's final state
    served.ended = std::chrono::steady_clock::now();
    service_.record(answer.get(), std::move(served));
    if (finished && leaves_open(script)) continue;
    return linger();
  }
}

// An unfinished response must not look finished to the client, as a plain close might.
void Connection::end(const ResponseScript& script, bool finished) {
  if (!finished || script.end == recording::End::reset || script.end == recording::End::stall) {
    reset(socket_);
  } else if (!leaves_open(script)) {
    shutdown(socket_.get(), SHUT_WR);
  }
}

std::optional<UpstreamRequest> Connection::next_request() {
  RequestReader reader(service_.limits);
  BodiesUnderWay::Share share(*service_.bodies);
  std::optional<IdleConnections::Wait> idle(std::in_place, *service_.idle, socket_.get());
  bool invited = false;
  Deadline deadline = within(service_.timeouts.idle);
  while (true) {
    const bool had_begun = reader.begun();
    unread_.erase(0, reader.feed(unread_));
    if (!had_begun && reader.begun()) {
      deadline = within(service_.timeouts.request);
      idle.reset();
    }
    if (!share.grow_to(reader.request().body.size())) return std::nullopt;
    if (reader.done()) return reader.request();
    if (!invited && reader.wants_continue()) {
      invited = true;
      if (write("HTTP/1.1 100 Continue\r\n\r\n") != Io::done) return std::nullopt;
    }
    const Io io = receive(socket_.get(), unread_, stop_, deadline);
    if (io == Io::done) continue;
    if (io == Io::stopped || !reader.begun()) return std::nullopt;
    reader.finish();
    return reader.request();
  }
}

ServingOutcome Connection::play(PreparedAnswer* answer, const ResponseScript& script, const WritePlan& plan,
                                Served& served) {
  std::size_t held = 0;
  std::size_t paused = 0;
  // Passes all holds and pauses at the offset. A hold comes first, because a pause counts from the last write.
  const auto pass_waits = [&](std::size_t at) {
    while (held < plan.holds.size() && plan.holds[held] <= at) {
      const ServingOutcome outcome = wait_at_hold(*answer, ++held);
      if (outcome != ServingOutcome::finished) return outcome;
    }
    while (paused < plan.pauses.size() && plan.pauses[paused].at <= at) {
      const ServingOutcome outcome = wait_out(plan.pauses[paused++], answer);
      if (outcome != ServingOutcome::finished) return outcome;
    }
    return ServingOutcome::finished;
  };
  for (const std::size_t end : plan.ends) {
    const ServingOutcome waited = pass_waits(served.written);
    if (waited != ServingOutcome::finished) return waited;
    Io io = write(std::string_view(plan.bytes).substr(served.written, end - served.written));
    if (io == Io::done) {
      served.written = end;
      ++served.writes;
      io = wait_until_read(answer);
      // A client that has everything may leave at once. The written bytes still count.
      const bool last = end == plan.bytes.size() && held == plan.holds.size() && paused == plan.pauses.size();
      if (last && (io == Io::gone || io == Io::stopped)) io = Io::done;
    }
    if (io != Io::done) return outcome_of(io);
  }
  const ServingOutcome waited = pass_waits(plan.bytes.size());
  if (waited != ServingOutcome::finished) return waited;
  if (script.end != recording::End::stall) return ServingOutcome::finished;
  return socket_peer_ ? stall_socket(answer, script) : stall(answer);
}

ServingOutcome Connection::wait_at_hold(PreparedAnswer& answer, std::size_t n) {
  const Deadline deadline = within(service_.timeouts.hold);
  while (!answer.wait_at_hold(n, kMoment)) {
    const Io io = look_for_client();
    if (io != Io::done) return outcome_of(io);
    if (answer.given_up()) return ServingOutcome::stopped;
    if (std::chrono::steady_clock::now() >= deadline) return ServingOutcome::not_released;
  }
  return ServingOutcome::finished;
}

// Waits until the pause is over. It never ends early.
ServingOutcome Connection::wait_out(const Pause& pause, const PreparedAnswer* answer) {
  const Deadline deadline = after(pause.seconds);
  while (!has_passed(deadline)) {
    const Io slept = sleep_until(stop_, std::min(deadline, within(kLongMoment)));
    if (slept == Io::stopped) return ServingOutcome::stopped;
    const Io io = look_for_client();
    if (io != Io::done) return outcome_of(io);
    if (answer != nullptr && answer->given_up()) return ServingOutcome::stopped;
  }
  return ServingOutcome::finished;
}

// Checks whether the client is still there. The end of its data does not prove that it left. It may have shut
// down only that half of the connection.
Io Connection::look_for_client() {
  if (socket_peer_) return look_into_socket();
  const Io ended = wait_for(socket_.get(), POLLRDHUP, stop_, std::chrono::steady_clock::now());
  if (ended == Io::late || (ended == Io::done && peer_ && peer_->is_open())) return Io::done;
  return ended == Io::stopped ? Io::stopped : Io::gone;
}

Io Connection::write(std::string_view bytes) {
  const Io io = send_all(socket_.get(), bytes, stop_, within(service_.timeouts.read));
  if (io == Io::done) sent_ += bytes.size();
  return io;
}

Io Connection::wait_until_read(const PreparedAnswer* answer) {
  if (peer_) {
    const Deadline deadline = within(service_.timeouts.read);
    while (true) {
      const Io io = peer_->wait_until_read(sent_, stop_, std::min(deadline, within(kLongMoment)));
      if (io != Io::late || std::chrono::steady_clock::now() >= deadline) return io;
      if (answer != nullptr && answer->given_up()) return Io::stopped;
    }
  }
  const Io io = sleep_until(stop_, within(kBetweenUnprovenWrites));
  return io == Io::late ? Io::done : io;
}

// Sends nothing more. A stalled response ends when the client gives up. Ignores what it still sends.
ServingOutcome Connection::stall(const PreparedAnswer* answer) {
  const Deadline deadline = within(service_.timeouts.stall);
  while (true) {
    unread_.clear();
    const Io io = receive(socket_.get(), unread_, stop_, std::min(deadline, within(kMoment)));
    if (io == Io::stopped || (answer != nullptr && answer->given_up())) return ServingOutcome::stopped;
    if (io == Io::gone || std::chrono::steady_clock::now() >= deadline) return ServingOutcome::finished;
  }
}

// Closing a socket with unread bytes resets the connection, and the client may lose the end of the response.
// So this reads what it still sends, until it closes or the deadline passes (RFC 9112, 9.6).
void Connection::linger() {
  if (socket_.get() < 0) return;
  const Deadline deadline = within(service_.timeouts.read);
  do {
    unread_.clear();
  } while (receive(socket_.get(), unread_, stop_, deadline) == Io::done);
}

}  // namespace splitproof::testee
