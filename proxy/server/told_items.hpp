#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/told_item.hpp"

namespace splitproof::server {

/// Keeps the items of answers for requests that refer to them. Holds `most` bytes and drops the oldest items first.
/// Clients believe that the provider stores items, but refer to them only within one conversation. Thread-safe.
class ToldItems {
 public:
  explicit ToldItems(std::size_t most) : most_(most) {}

  /// Keeps the items of an answer to a client with this key.
  void keep(const std::string& key, std::vector<proxy::dialect::ToldItem> items);

  /// Returns the JSON of an item that a client with this key received; empty if it is not kept.
  std::string find(const std::string& key, std::string_view id) const;

 private:
  struct Kept {
    std::string key;  // with the id
    std::string json;
  };

  void drop(std::list<Kept>::iterator at);

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::list<Kept> kept_;                                          // oldest first
  std::map<std::string_view, std::list<Kept>::iterator> places_;  // by their keys
  std::size_t bytes_ = 0;
};

}  // namespace splitproof::server
