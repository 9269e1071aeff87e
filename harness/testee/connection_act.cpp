#include "harness/testee/connection_act.hpp"

#include <algorithm>

#include "harness/testee/connection.hpp"

namespace splitproof::testee {
namespace {

constexpr auto kGlance = std::chrono::milliseconds(5);  // between two checks whether a wait is over

}  // namespace

const ConnectionSteps& steps_for(const ConnectionAct& act, std::size_t attempt, std::size_t turn) {
  const bool elsewhere = (act.on == ActOn::used && turn == 1) || (act.on == ActOn::fresh && turn > 1);
  if (attempt <= 1 && elsewhere) return act.attempts.back();
  return act.attempts[std::min(attempt, act.attempts.size()) - 1];
}

// If the client has left, steps that write end, but a wait does not, because some acts test a leaving client.
bool Connection::perform(PreparedAnswer& answer, const ConnectionSteps& steps, Served& served) {
  std::size_t waits = 0;
  const Deadline latest = within(service_.timeouts.hold);
  const auto given_up = [&] { return answer.given_up() || std::chrono::steady_clock::now() >= latest; };
  for (const ConnectionStep& step : steps) {
    Io io = Io::done;
    switch (step.kind) {
      case ConnectionStep::Kind::write:
        io = write(step.bytes);
        if (io == Io::done) served.written += step.bytes.size();
        break;
      case ConnectionStep::Kind::flood:
        io = flood(answer, step, served);
        break;
      case ConnectionStep::Kind::wait:
        ++waits;
        while (!answer.wait_at_hold(waits, kGlance) && !given_up()) {
          if (sleep_until(stop_, std::chrono::steady_clock::now()) == Io::stopped) break;
        }
        break;
      case ConnectionStep::Kind::pause:
        if (sleep_until(stop_, within(step.time)) == Io::stopped) io = Io::stopped;
        break;
      case ConnectionStep::Kind::close:
        socket_ = Descriptor();
        return false;
      case ConnectionStep::Kind::reset:
        reset(socket_);
        return false;
    }
    if (io == Io::done) continue;
    served.outcome = io == Io::stopped ? ServingOutcome::stopped : ServingOutcome::client_left;
    socket_ = Descriptor();
    return false;
  }
  if (keeps_alive(served.request)) return true;
  socket_ = Descriptor();
  return false;
}

Io Connection::flood(const PreparedAnswer& answer, const ConnectionStep& step, Served& served) {
  const Deadline end = within(step.time);
  for (std::size_t sent = 0; sent < step.most && !answer.given_up(); sent += step.bytes.size()) {
    const Io io = send_all(socket_.get(), step.bytes, stop_, end);
    if (io == Io::late) return Io::done;  // the client reads no more
    if (io != Io::done) return io;
    sent_ += step.bytes.size();
    served.written += step.bytes.size();
    if (std::chrono::steady_clock::now() >= end) break;
  }
  return Io::done;
}

}  // namespace splitproof::testee
