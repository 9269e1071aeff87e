#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/testee/copyable.hpp"

namespace splitproof::prove {

/// A chunk of a body, as offsets.
struct Chunk {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const Chunk&) const = default;
};

/// A stream that is fed byte by byte, with its states at some places of the body. All chunks between these places are
/// compared with it.
struct ByteWalk {
  std::string_view body;
  std::vector<std::size_t> places;                              ///< Ascending.
  std::vector<std::unique_ptr<testee::CopyableStream>> states;  ///< At each place.
  std::vector<std::size_t> said;  ///< Number of bytes of output before each place.
  std::string out;                ///< The output of the whole exchange.
  std::string failure;            ///< Reason why the exchange fails before its end; empty: it does not.

  /// Returns the output between two places, by their index.
  std::string_view between(std::size_t from, std::size_t to) const {
    return std::string_view(out).substr(said[from], said[to] - said[from]);
  }
};

/// Returns begin, begin + 1 and so on up to `end`.
std::vector<std::size_t> all_places(std::size_t begin, std::size_t end);

/// Walks a stream that was just opened through a body, with states at `places` (ascending, not empty). The exchange or a copy
/// may fail.
ByteWalk walk_bytes(testee::CopyableStream& stream, std::string_view body, recording::End end,
                    std::vector<std::size_t> places);

/// A chunk that gives another output than byte by byte, or only another state.
struct ChunkDifference {
  Chunk chunk;
  bool in_output = false;
};

/// Takes a difference. Returns false to end the search.
using OnDifference = std::function<bool(const ChunkDifference&)>;

/// Feeds a copy of the state at each place the bytes up to each later place, as one chunk. Calls `on_difference` with each
/// chunk that makes a difference. `reach` is the index of the last place to try from each place, which never decreases.
/// Adds the number of chunks to `feeds`. Returns false if the search was ended.
bool find_differences(const ByteWalk& walk, const std::vector<std::size_t>& reach, std::uint64_t& feeds,
                      const OnDifference& on_difference);

/// Tries all later places from each place.
bool find_differences(const ByteWalk& walk, std::uint64_t& feeds, const OnDifference& on_difference);

}  // namespace splitproof::prove
