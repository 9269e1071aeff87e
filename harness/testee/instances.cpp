#include "harness/testee/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

namespace splitproof::testee {
namespace {

// Calls a function with each value, with all at the same time, and returns the results in order.
template <class Value, class Function>
auto with_each(std::vector<Value>& values, std::size_t first, const Function& function) {
  std::vector<decltype(std::async(std::launch::async, function, std::ref(values[0])))> running;
  for (std::size_t i = first; i < values.size(); ++i)
    running.push_back(std::async(std::launch::async, function, std::ref(values[i])));
  std::vector<decltype(running[0].get())> results;
  for (auto& one : running) results.push_back(one.get());
  return results;
}

}  // namespace

Instances::Instances(std::size_t count, const std::function<std::unique_ptr<Testee>()>& make)
    : Testee({}), claims_(count) {
  for (std::size_t i = 0; i < count; ++i) instances_.push_back(make());
  traits_ = instances_.front()->traits();
  traits_.instances = count;
}

Instances::~Instances() {
  with_each(instances_, 0, [](std::unique_ptr<Testee>& instance) {
    instance.reset();
    return true;
  });
}

Result<void> Instances::start() {
  std::vector<Result<void>> started{instances_.front()->start()};
  if (started.front()) {
    auto others =
        with_each(instances_, 1, [](std::unique_ptr<Testee>& instance) { return instance->start(); });
    std::move(others.begin(), others.end(), std::back_inserter(started));
  }
  for (std::size_t i = 0; i < started.size(); ++i) {
    if (started[i]) continue;
    Error error = std::move(started[i].error());
    error.what = fmt::format("instance {} of {}: {}", i + 1, instances_.size(), error.what);
    return tl::unexpected(std::move(error));
  }
  traits_ = instances_.front()->traits();
  traits_.instances = instances_.size();
  traits_.max_concurrency = 0;
  for (const auto& instance : instances_) {
    traits_.max_concurrency += instance->traits().max_concurrency;
    traits_.can_overlap = traits_.can_overlap && instance->traits().can_overlap;
  }
  return {};
}

bool Instances::refuses(const recording::Recording& recording) const {
  return instances_.front()->refuses(recording);
}

std::string Instances::version() const { return instances_.front()->version(); }

std::string Instances::remark() const {
  const std::string first = instances_.front()->remark();
  std::string text = fmt::format("{} instances", instances_.size());
  if (!first.empty()) text += "; " + first;
  for (std::size_t i = 1; i < instances_.size(); ++i) {
    const std::string remark = instances_[i]->remark();
    if (remark != first)
      text += fmt::format("; instance {}: {}", i + 1, remark.empty() ? "no remark" : remark);
  }
  return text;
}

std::vector<UnattributedFailure> Instances::mishaps() const {
  std::vector<UnattributedFailure> all;
  for (const auto& instance : instances_) {
    std::vector<UnattributedFailure> more = instance->mishaps();
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

Observation Instances::asks(const recording::Recording& recording) const {
  return instances_.front()->asks(recording);
}

std::shared_ptr<const TrialEvidence> Instances::try_connections(const ConnectionTrial& trial) const {
  return instances_.front()->try_connections(trial);
}

void Instances::start_over() const { instances_.front()->start_over(); }

void Instances::limit_hangs(std::chrono::milliseconds total) {
  for (const auto& instance : instances_) instance->limit_hangs(total);
}

const Testee& Instances::claim() const {
  const std::lock_guard lock(mutex_);
  std::size_t best = 0;
  const auto free_places = [&](std::size_t i) {
    return static_cast<std::ptrdiff_t>(instances_[i]->traits().max_concurrency) -
           static_cast<std::ptrdiff_t>(claims_[i]);
  };
  for (std::size_t i = 1; i < instances_.size(); ++i)
    if (free_places(i) > free_places(best)) best = i;
  ++claims_[best];
  return *instances_[best];
}

void Instances::release(const Testee& instance) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < instances_.size(); ++i) claims_[i] -= instances_[i].get() == &instance ? 1 : 0;
}

Observation Instances::observe(const Exchange& exchange) const {
  const InstanceClaim one(*this);
  return one.instance().observe(exchange);
}

}  // namespace splitproof::testee
