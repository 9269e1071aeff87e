#include "harness/testee/answer.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::testee {
namespace {

bool bears(const UpstreamRequest& request, const std::string& token) {
  if (request.target.find(token) != std::string::npos || request.body.find(token) != std::string::npos)
    return true;
  return std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const Header& header) { return header.value.find(token) != std::string::npos; });
}

}  // namespace

std::string_view name(ServingOutcome outcome) {
  switch (outcome) {
    case ServingOutcome::client_left:
      return "client left";
    case ServingOutcome::not_read:
      return "not read";
    case ServingOutcome::not_released:
      return "not released";
    case ServingOutcome::stopped:
      return "stopped";
    case ServingOutcome::finished:
      break;
  }
  return "finished";
}

void PreparedAnswer::release() {
  const std::lock_guard lock(mutex_);
  ++released_;
  changed_.notify_all();
}

bool PreparedAnswer::wait_for_hold(std::size_t n, std::chrono::milliseconds wait) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, wait, [&] { return reached_ >= n || given_up_; });
  return reached_ >= n;
}

bool PreparedAnswer::wait_until_served(std::size_t n, std::chrono::milliseconds wait) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, wait, [&] { return ended_ >= n; });
}

std::vector<Served> PreparedAnswer::served() const {
  const std::lock_guard lock(mutex_);
  return served_;
}

bool PreparedAnswer::wait_until_idle(std::chrono::milliseconds wait) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, wait, [&] { return ended_ == begun_; });
}

std::size_t PreparedAnswer::reached() const {
  const std::lock_guard lock(mutex_);
  return reached_;
}

void PreparedAnswer::give_up() {
  const std::lock_guard lock(mutex_);
  given_up_ = true;
  changed_.notify_all();
}

bool PreparedAnswer::given_up() const {
  const std::lock_guard lock(mutex_);
  return given_up_;
}

std::size_t PreparedAnswer::begin() {
  const std::lock_guard lock(mutex_);
  return ++begun_;
}

bool PreparedAnswer::wait_at_hold(std::size_t n, std::chrono::milliseconds moment) {
  std::unique_lock lock(mutex_);
  if (reached_ < n) {
    reached_ = n;
    changed_.notify_all();
  }
  changed_.wait_for(lock, moment, [&] { return released_ >= n || given_up_; });
  return released_ >= n;
}

void PreparedAnswer::record(Served served) {
  const std::lock_guard lock(mutex_);
  ++ended_;
  changed_.notify_all();
  if (!excess_.empty()) return;
  if (served_.size() == kMostCalls) {
    excess_ =
        "the target called its upstream more than " + std::to_string(kMostCalls) + " times for one request";
  } else if (served.request.body.size() > most_bytes_ - kept_bytes_) {
    excess_ =
        "the target sent its upstream more than " + std::to_string(most_bytes_) + " bytes for one request";
  } else {
    kept_bytes_ += served.request.body.size();
    served_.push_back(std::move(served));
  }
}

void PreparedAnswer::keep_at_most(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  most_bytes_ = bytes;
}

std::string PreparedAnswer::excess() const {
  const std::lock_guard lock(mutex_);
  return excess_;
}

std::shared_ptr<PreparedAnswer> Answers::prepare(std::string token, ResponseScript script,
                                                 std::optional<OtherResponse> other) {
  auto answer = std::make_shared<PreparedAnswer>(std::move(token), std::move(script), std::move(other));
  const std::lock_guard lock(mutex_);
  ready_.push_back(answer);
  return answer;
}

std::shared_ptr<PreparedAnswer> Answers::prepare_act(std::string token, ResponseScript script,
                                                     ConnectionAct act) {
  auto answer = std::make_shared<PreparedAnswer>(std::move(token), std::move(script), std::move(act));
  const std::lock_guard lock(mutex_);
  ready_.push_back(answer);
  return answer;
}

void Answers::withdraw(const std::shared_ptr<PreparedAnswer>& answer) {
  const std::lock_guard lock(mutex_);
  ready_.erase(std::remove(ready_.begin(), ready_.end(), answer), ready_.end());
}

std::shared_ptr<PreparedAnswer> Answers::find(const UpstreamRequest& request) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<PreparedAnswer> best;
  for (const auto& answer : ready_) {
    const std::string& token = answer->token();
    if (token.empty() || (best != nullptr && token.size() <= best->token().size())) continue;
    if (bears(request, token)) best = answer;
  }
  if (best != nullptr || !request.broken.empty()) return best;
  const auto next =
      std::find_if(ready_.begin(), ready_.end(), [](const auto& answer) { return answer->token().empty(); });
  if (next == ready_.end()) return nullptr;
  best = *next;
  ready_.erase(next);
  return best;
}

}  // namespace splitproof::testee
