#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "proxy/translator.hpp"

namespace splitproof::fuzz {

/// Protocols of a translation.
struct Pair {
  const proxy::dialect::UpstreamRow* upstream;
  const proxy::dialect::ClientRow* client;
};

/// Returns all pairs of different protocols, in the order of the table, as in protocols.json.
inline const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all = [] {
    std::vector<Pair> found;
    for (const proxy::dialect::UpstreamRow& upstream : proxy::dialect::upstreams()) {
      for (const proxy::dialect::ClientRow& client : proxy::dialect::clients()) {
        if (upstream.protocol != client.protocol) found.push_back({&upstream, &client});
      }
    }
    return found;
  }();
  return all;
}

/// Byte 4 of an input chooses the body's end, by its last two bits, and the pair.
inline std::size_t ending_of(std::uint8_t chosen) { return chosen % 4; }
inline std::size_t pair_of(std::uint8_t chosen) { return chosen / 4 % pairs().size(); }

}  // namespace splitproof::fuzz
