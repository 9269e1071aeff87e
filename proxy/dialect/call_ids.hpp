#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

/// Gives the calls of one message unique ids.
class CallIds {
 public:
  /// Returns `id` if it is new. Otherwise returns `begin` and a number: the block's, if it is free.
  std::string give(std::string id, std::string_view begin, std::size_t block) {
    // Later blocks have no lower number, so no number is tried twice.
    next_ = std::max(next_, block);
    while (id.empty() || given_.count(id) > 0) id = std::string(begin).append(std::to_string(next_++));
    given_.insert(id);
    return id;
  }

  bool operator==(const CallIds&) const = default;

 private:
  std::set<std::string> given_;
  std::size_t next_ = 0;
};

}  // namespace splitproof::proxy::dialect
