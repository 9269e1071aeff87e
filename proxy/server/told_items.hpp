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

/// The items that answers told, for requests that refer to them. It holds `most` bytes, and the oldest items go first: such
/// a client takes them for stored, but refers to them within one conversation. Threads may share it.
class ToldItems {
 public:
  explicit ToldItems(std::size_t most) : most_(most) {}

  /// Keeps the items of an answer to a client with this key.
  void keep(const std::string& key, std::vector<proxy::dialect::ToldItem> items);

  /// The JSON of the item that a client with this key was told; empty: it is not kept.
  std::string find(const std::string& key, std::string_view id) const;

 private:
  struct Kept {
    std::string key;  // with the id
    std::string json;
  };

  void drop(std::list<Kept>::iterator at);

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::list<Kept> kept_;                                          // the oldest first
  std::map<std::string_view, std::list<Kept>::iterator> places_;  // by their keys
  std::size_t bytes_ = 0;
};

}  // namespace splitproof::server
