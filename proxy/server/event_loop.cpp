#include "proxy/server/event_loop.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>
#include <utility>

namespace splitproof::server {
namespace {

constexpr int kEventsAtOnce = 256;

using std::chrono::milliseconds;

epoll_event event_of(int descriptor, std::uint32_t generation, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = std::uint64_t{generation} << 32 | static_cast<std::uint32_t>(descriptor);
  return event;
}

}  // namespace

EventLoop::EventLoop() : epoll_(epoll_create1(EPOLL_CLOEXEC)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event = event_of(wake_, 0, EPOLLIN);
  if (epoll_ < 0 || wake_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0) {
    const int refused = errno;
    if (epoll_ >= 0) close(epoll_);
    if (wake_ >= 0) close(wake_);
    throw std::system_error(refused, std::generic_category(), "epoll");
  }
}

EventLoop::~EventLoop() {
  close(epoll_);
  close(wake_);
}

void EventLoop::watch(int descriptor, std::uint32_t events, Watcher& watcher) {
  const auto at = static_cast<std::size_t>(descriptor);
  if (at >= watched_.size()) watched_.resize(at + 1);
  Watched& watched = watched_[at];
  epoll_event event = event_of(descriptor, watched.generation, events);
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) != 0)
    throw std::system_error(errno, std::generic_category(), "epoll");
  watched.watcher = &watcher;
  watched.events = events;
}

void EventLoop::change(int descriptor, std::uint32_t events) {
  Watched& watched = watched_[static_cast<std::size_t>(descriptor)];
  if (watched.events == events) return;
  watched.events = events;
  epoll_event event = event_of(descriptor, watched.generation, events);
  epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event);
}

void EventLoop::forget(int descriptor) {
  Watched& watched = watched_[static_cast<std::size_t>(descriptor)];
  ++watched.generation;
  epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
  watched.watcher = nullptr;
}

void EventLoop::later(std::function<void()> task) { later_.push_back(std::move(task)); }

void EventLoop::post(std::function<void()> task) {
  const std::lock_guard lock(posting_);
  posted_.push_back(std::move(task));
  const std::uint64_t one = 1;
  // The counter cannot be full: it counts to 2^64, and one read resets it.
  if (posted_.size() == 1 && write(wake_, &one, sizeof one) < 0) std::perror("splitproof-proxy: eventfd");
}

void EventLoop::take_posted() {
  std::uint64_t count = 0;
  const std::lock_guard lock(posting_);
  if (read(wake_, &count, sizeof count) < 0) return;
  for (auto& task : std::exchange(posted_, {})) later(std::move(task));
}

void EventLoop::call(const std::function<void()>& what) const {
  try {
    what();
  } catch (const std::exception& broken) {
    std::fprintf(stderr, "splitproof-proxy: serving a connection failed: %s\n", broken.what());
  }
}

void EventLoop::fire() {
  while (!times_.empty() && times_.begin()->first <= now_) {
    Timer& timer = *times_.begin()->second;
    timer.unlink();
    const Clock::time_point at = timer.at_;
    if (at > now_) {  // the timer was postponed
      if (at != Clock::time_point::max()) timer.set(at);
      continue;
    }
    timer.clear();
    call(timer.due_);
  }
}

void EventLoop::step(milliseconds at_most) {
  milliseconds wait = at_most;
  if (!later_.empty()) wait = milliseconds(0);
  if (!times_.empty()) {
    const auto left = std::chrono::ceil<milliseconds>(times_.begin()->first - Clock::now());
    wait = std::clamp(left, milliseconds(0), wait);
  }
  std::array<epoll_event, kEventsAtOnce> events;
  const int n = epoll_wait(epoll_, events.data(), kEventsAtOnce, static_cast<int>(wait.count()));
  now_ = Clock::now();
  for (int i = 0; i < n; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const auto descriptor = static_cast<int>(event.data.u64 & 0xFFFFFFFF);
    if (descriptor == wake_) {
      take_posted();
      continue;
    }
    const Watched& watched = watched_[static_cast<std::size_t>(descriptor)];
    Watcher* watcher = watched.watcher;
    if (watcher == nullptr || watched.generation != event.data.u64 >> 32) continue;
    call([&] { watcher->ready(descriptor, event.events); });
  }
  fire();
  while (!later_.empty()) {
    for (const auto& task : std::exchange(later_, {})) call(task);
  }
}

void EventLoop::run() {
  while (!ended_) step(milliseconds(60'000));
}

void EventLoop::Timer::set(Clock::time_point at) {
  at_ = at;
  if (linked_ && place_->first <= at) return;
  unlink();
  place_ = loop_.times_.emplace(at, this);
  linked_ = true;
}

void EventLoop::Timer::unlink() {
  if (linked_) loop_.times_.erase(place_);
  linked_ = false;
}

}  // namespace splitproof::server
