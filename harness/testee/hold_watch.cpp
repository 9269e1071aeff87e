#include "harness/testee/hold_watch.hpp"

#include <algorithm>

namespace splitproof::testee {
namespace {

constexpr auto kNever = std::chrono::hours(1);  // the answer is given up before

// Returns the number of holds before the place where the client leaves.
std::optional<std::size_t> leaving_place(const Exchange& exchange) {
  if (!exchange.leave_at) return std::nullopt;
  return static_cast<std::size_t>(
      std::count_if(exchange.holds.begin(), exchange.holds.end(),
                    [&](const Hold& hold) { return hold.offset <= *exchange.leave_at; }));
}

}  // namespace

std::vector<std::size_t> hold_offsets(const Exchange& exchange) {
  std::vector<std::size_t> offsets;
  for (const Hold& hold : exchange.holds) offsets.push_back(hold.offset);
  if (const auto place = leaving_place(exchange))
    offsets.insert(offsets.begin() + static_cast<std::ptrdiff_t>(*place), *exchange.leave_at);
  return offsets;
}

HoldWatch::HoldWatch(const Exchange& exchange, PreparedAnswer& answer, StopToken& leave,
                     const HoldTimeouts& timeouts)
    : exchange_(exchange),
      answer_(answer),
      leave_(leave),
      timeouts_(timeouts),
      count_(exchange.holds.size() + (exchange.leave_at ? 1 : 0)),
      leaving_(leaving_place(exchange)) {
  if (count_ == 0) return;
  meet({});
  watching_ = std::thread([this] { watch(); });
}

HoldWatch::~HoldWatch() {
  if (count_ == 0) return;
  client_ended();
  answer_.give_up();
  watching_.join();
}

void HoldWatch::read(std::string_view body) {
  if (count_ == 0) return;
  const std::lock_guard lock(mutex_);
  downstream_ = body.size();
  meet(body);
  changed_.notify_all();
}

void HoldWatch::client_ended() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

// Releases the holds that are met. The caller has the lock, or is the only user.
void HoldWatch::meet(std::string_view body) {
  while (next_ < count_ && !is_leaving(next_)) {
    const std::size_t hold = next_ - (leaving_ && *leaving_ < next_ ? 1 : 0);
    if (!exchange_.holds[hold].until(body)) return;
    release(true);
  }
}

void HoldWatch::release(bool met) {
  if (!is_leaving(next_)) {
    const std::size_t hold = next_ - (leaving_ && *leaving_ < next_ ? 1 : 0);
    releases_.push_back({exchange_.holds[hold].offset, met, downstream_});
    unmet_ = unmet_ || !met;
  }
  ++next_;
  last_release_ = std::chrono::steady_clock::now();
  answer_.release();
}

void HoldWatch::watch() {
  std::unique_lock lock(mutex_);
  while (next_ < count_) {
    const std::size_t here = next_;
    lock.unlock();
    const bool reached = answer_.wait_for_hold(here + 1, kNever);
    lock.lock();
    if (!reached) return;
    if (is_leaving(here)) {
      std::size_t before = 0;
      do {
        before = downstream_;
        changed_.wait_for(lock, timeouts_.quiet, [&] { return ended_ || downstream_ != before; });
      } while (!ended_ && downstream_ != before);
      if (ended_) {
        release(false);
        continue;
      }
      left_ = std::chrono::steady_clock::now();
      leave_.request_stop();
      return;
    }
    changed_.wait_for(lock, unmet_ ? timeouts_.again : timeouts_.unmet,
                      [&] { return ended_ || next_ > here; });
    if (next_ == here) release(false);
  }
}

Deadline HoldWatch::last_release() const {
  const std::lock_guard lock(mutex_);
  return last_release_;
}

std::vector<Release> HoldWatch::releases() const {
  const std::size_t reached = answer_.reached();
  const std::lock_guard lock(mutex_);
  std::vector<Release> releases = releases_;
  const std::size_t leavings = leaving_ && *leaving_ < reached ? 1 : 0;
  releases.resize(std::min(releases.size(), reached - leavings));
  return releases;
}

std::optional<Deadline> HoldWatch::left() const {
  const std::lock_guard lock(mutex_);
  return left_;
}

}  // namespace splitproof::testee
