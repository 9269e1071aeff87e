#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "harness/prove/walk.hpp"
#include "harness/testee/copyable.hpp"

namespace splitproof::prove {

// Samples of what a proof assumes of a target. A target that claims to copy and compare its states may be wrong.

using OpenStream = std::function<std::unique_ptr<testee::CopyableStream>()>;

/// Checks with some places that a copy and its original do not affect each other. `walk` is of the whole body. Returns the
/// reason for doubt, or "".
std::string doubt_copies(const OpenStream& open, const ByteWalk& walk, recording::End end);

/// Checks at each place that a feed without bytes changes nothing: no output is late.
std::string doubt_punctuality(const ByteWalk& walk);

/// A chunk that leads to an equal state, but not to equal later output.
struct FalseEquality {
  Chunk chunk;
  std::string reason;
};

/// Checks for a random chunk before each place, whose state was equal, that the rest of the output is equal too.
std::optional<FalseEquality> doubt_equality(const ByteWalk& walk, recording::End end,
                                            std::mt19937_64& random);

}  // namespace splitproof::prove
