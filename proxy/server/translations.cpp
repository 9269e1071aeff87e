#include "proxy/server/translations.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "proxy/wire/empty.hpp"

namespace splitproof::server {
namespace {

void tell(std::shared_ptr<Translations::Job> job) {
  EventLoop& loop = job->loop;
  loop.post([job = std::move(job)] {
    if (const auto done = std::exchange(job->done, nullptr)) done();
  });
}

}  // namespace

Translations::Translations(const ServerSettings& settings)
    : settings_(settings), most_(std::max(settings.limits.bodies_bytes, settings.limits.request_bytes)) {}

void Translations::add(std::shared_ptr<Job> job) {
  const std::lock_guard lock(mutex_);
  const std::size_t size = job->body.size();
  bytes_ += size;
  waiting_.emplace(size, std::move(job));
  while (bytes_ > most_) {
    const std::shared_ptr<Job> largest = take(std::prev(waiting_.end()));
    largest->refused = true;
    wire::empty(largest->body);
    tell(largest);
  }
  changed_.notify_one();
}

void Translations::drop(const std::shared_ptr<Job>& job) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const auto& waiting) { return waiting.second == job; });
  if (found != waiting_.end()) take(found);
}

void Translations::run() {
  Routes routes(settings_);
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    std::shared_ptr<Job> job = take(waiting_.begin());
    lock.unlock();
    try {
      if (job->work)
        job->work(*job);
      else
        job->outcome = routes.serve(job->head, job->body, job->id, job->close);
    } catch (...) {
      job->failed = std::current_exception();
    }
    wire::empty(job->body);
    tell(std::move(job));
  }
}

void Translations::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

std::shared_ptr<Translations::Job> Translations::take(Waiting::iterator at) {
  std::shared_ptr<Job> job = std::move(at->second);
  bytes_ -= at->first;
  waiting_.erase(at);
  return job;
}

}  // namespace splitproof::server
