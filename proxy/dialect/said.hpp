#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {

/// Returns a hash of a text. Two texts share one with a chance of 2^-64.
std::uint64_t mark_of(std::string_view text);

/// Remembers a text in pieces, for comparison with later events that repeat all of it. Texts are WTF-8. Its memory is
/// constant.
class Said {
 public:
  /// Adds the next piece.
  void add(std::string_view piece);

  bool nothing() const { return size_ == 0 && !waits(); }

  /// True if `whole` equals the text so far.
  bool is(std::string_view whole) const {
    const std::optional<std::string> rest = rest_of(whole);
    return rest && rest->empty();
  }

  /// Returns the rest of `whole` after the text so far; none if it begins differently.
  std::optional<std::string> rest_of(std::string_view whole) const;

  bool operator==(const Said&) const = default;

 private:
  bool waits() const;

  std::size_t size_ = 0;              // in UTF-8
  std::uint64_t mark_ = mark_of({});  // hash of that text
  wire::SurrogateJoiner pairs_;       // may hold half a character
};

}  // namespace splitproof::proxy::dialect
