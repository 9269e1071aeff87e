#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/dialect/said.hpp"

namespace splitproof::proxy::dialect {

/// A text that comes in deltas, and again as a whole. A delta that is equal to all deltas before it is new or repeats
/// them, if they are more than one. It waits until the next delta or the whole text decides.
class Deltas {
 public:
  /// Takes the next delta and returns the text to send. A delta that waited was new.
  std::string take(std::string delta);

  /// Takes the whole text and returns what it adds; nullopt if it is another text. It decides about the delta that
  /// waits.
  std::optional<std::string> complete(std::string_view whole);

  /// Returns the delta that waits, which is new.
  std::string release();

  /// Forgets the delta that waits, which repeats those before it.
  void drop() { waiting_.clear(); }

  bool nothing() const { return sent_.nothing(); }

  const std::string& waiting() const { return waiting_; }

  bool operator==(const Deltas&) const = default;

 private:
  void send(std::string_view text);

  Said sent_;
  std::size_t count_ = 0;  // sent pieces
  std::string waiting_;
};

}  // namespace splitproof::proxy::dialect
