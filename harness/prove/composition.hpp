#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "harness/prove/walk.hpp"
#include "harness/testee/copyable.hpp"

namespace splitproof::prove {

/// A framer that gave no difference with any chunk of a part of a body. Streams for several clients have equal framers.
struct TriedFramer {
  Chunk part;
  std::unique_ptr<testee::CopyableStream> framer;  ///< Before the first byte.
};
using TriedFramers = std::vector<TriedFramer>;

/// Checks all chunks of a part of a body by the parts of a stream. Calls and returns as find_differences() does.
///
/// The framer of a stream gets all chunks of bytes, and the stream gets all chunks of whole frames. The finder of pieces
/// gets all chunks too, and the stream gets all chunks that end in their first piece.
///
/// `stream` is open and not fed. Only copies of it are fed.
bool find_composed_differences(const testee::CopyableStream& stream, std::string_view body,
                               recording::End end, Chunk part, TriedFramers& tried, std::uint64_t& feeds,
                               const OnDifference& on_difference);

/// True if the stream has such parts.
bool is_composed(const testee::CopyableStream& stream);

}  // namespace splitproof::prove
