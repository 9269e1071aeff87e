#include "proxy/server/told_items.hpp"

#include <iterator>
#include <utility>

namespace splitproof::server {
namespace {

constexpr std::size_t kCost = 256;  // overhead of an item besides its bytes

std::string place_of(const std::string& key, std::string_view id) {
  return std::string(id).append(1, '\n').append(key);
}

}  // namespace

void ToldItems::keep(const std::string& key, std::vector<proxy::dialect::ToldItem> items) {
  const std::lock_guard lock(mutex_);
  for (proxy::dialect::ToldItem& item : items) {
    std::string place = place_of(key, item.id);
    if (const auto known = places_.find(place); known != places_.end()) drop(known->second);
    bytes_ += kCost + place.size() + item.json.size();
    kept_.push_back({std::move(place), std::move(item.json)});
    places_.emplace(kept_.back().key, std::prev(kept_.end()));
    while (bytes_ > most_) drop(kept_.begin());
  }
}

std::string ToldItems::find(const std::string& key, std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto known = places_.find(place_of(key, id));
  return known == places_.end() ? std::string() : known->second->json;
}

void ToldItems::drop(std::list<Kept>::iterator at) {
  bytes_ -= kCost + at->key.size() + at->json.size();
  places_.erase(at->key);
  kept_.erase(at);
}

}  // namespace splitproof::server
