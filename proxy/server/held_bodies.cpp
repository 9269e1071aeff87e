#include "proxy/server/held_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace splitproof::server {
namespace {

constexpr std::chrono::duration<double> kHalf{1};          // half-life of a received byte's weight
constexpr std::chrono::duration<double> kYoungest{0.001};  // shortest time for a rate

// Returns the weight of a byte of this age.
double weight(std::chrono::duration<double> ago) { return std::exp2(-ago / kHalf); }

}  // namespace

HeldBodies::Share::Share(HeldBodies& held, EventLoop& loop, std::function<void()> give_way) : held_(held) {
  auto entry = std::make_shared<Entry>(Entry{loop, std::move(give_way), loop.now(), loop.now()});
  const std::lock_guard lock(held.mutex_);
  place_ = held.entries_.insert(held.entries_.end(), std::move(entry));
}

HeldBodies::Share::~Share() {
  (*place_)->give_way = nullptr;
  const std::lock_guard lock(held_.mutex_);
  held_.total_ -= (*place_)->bytes;
  held_.entries_.erase(place_);
}

bool HeldBodies::Share::grow(std::size_t bytes, Time now) {
  Entry& own = **place_;
  const std::lock_guard lock(held_.mutex_);
  if (!own.counted) return false;
  own.recent = own.recent * weight(now - own.at) + static_cast<double>(bytes);
  own.at = now;
  own.bytes += bytes;
  held_.total_ += bytes;
  while (held_.total_ > held_.most_) {
    const std::shared_ptr<Entry> slowest = held_.slowest(now);
    held_.total_ -= std::exchange(slowest->bytes, 0);
    slowest->counted = false;
    if (slowest.get() == &own) return false;
    slowest->loop.post([slowest] {
      // The share may be gone already. If not, the call removes it.
      if (const auto give_way = std::exchange(slowest->give_way, nullptr)) give_way();
    });
  }
  return true;
}

// Requires that some body holds bytes.
std::shared_ptr<HeldBodies::Share::Entry> HeldBodies::slowest(Time now) const {
  std::size_t bodies = 0;
  for (const auto& entry : entries_) bodies += entry->bytes > 0 ? 1 : 0;
  std::shared_ptr<Share::Entry> found;
  double least = 0;
  for (const auto& entry : entries_) {
    if (entry->bytes == 0 || entry->bytes < total_ / bodies / 2) continue;
    const auto age = std::max<std::chrono::duration<double>>(now - entry->since, kYoungest);
    const double rate = entry->recent * weight(now - entry->at) / (1 - weight(age));
    if (found != nullptr && rate >= least) continue;
    found = entry;
    least = rate;
  }
  return found;
}

}  // namespace splitproof::server
