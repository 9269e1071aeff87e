#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {

/// A number that stands for a text in comparisons; others have another, but for one in 2^64.
std::uint64_t mark_of(std::string_view text);

/// Remembers what was said of a text, for comparison with later events that say all of it. Texts are WTF-8. Takes the same
/// memory however long the text is.
class Said {
 public:
  /// Takes the next piece.
  void add(std::string_view piece);

  bool nothing() const { return size_ == 0 && !waits(); }

  /// True if `whole` is all that was said, and no more.
  bool is(std::string_view whole) const {
    const std::optional<std::string> rest = rest_of(whole);
    return rest && rest->empty();
  }

  /// What `whole` says behind that, as another piece; none if it says something else.
  std::optional<std::string> rest_of(std::string_view whole) const;

  bool operator==(const Said&) const = default;

 private:
  bool waits() const;

  std::size_t size_ = 0;              // in UTF-8
  std::uint64_t mark_ = mark_of({});  // of that
  wire::SurrogateJoiner pairs_;       // may hold half a character
};

}  // namespace splitproof::proxy::dialect
