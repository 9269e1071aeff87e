#pragma once

#include <cstdint>
#include <string_view>

namespace splitproof {

/// Returns the 64-bit FNV-1a hash (Fowler, Noll, Vo). It is equal on every machine, so reports may contain
/// it.
inline std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace splitproof
