#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "harness/fnv1a.hpp"

namespace splitproof::campaign {

/// Identifies bytes by length and two hashes. Equal digests are treated as equal bytes.
struct Digest {
  std::size_t size = 0;
  std::size_t first = 0;
  std::uint64_t second = 0;

  auto operator<=>(const Digest&) const = default;
};

inline Digest digest_of(std::string_view bytes) {
  return {bytes.size(), std::hash<std::string_view>{}(bytes), fnv1a(bytes)};
}

}  // namespace splitproof::campaign
