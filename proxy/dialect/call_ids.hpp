#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

/// The ids of the calls of one message, of which no two are the same.
class CallIds {
 public:
  /// `id`, unless it is empty or was given out; then `begin` and a number: that of the block, if nothing else has it.
  std::string give(std::string id, std::string_view begin, std::size_t block) {
    // A number that was tried is taken, and no later block has a lower one: none is tried twice.
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
