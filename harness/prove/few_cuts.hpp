#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/prove/witness.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/copyable.hpp"

namespace splitproof::prove {

/// Compares the output of every split with at most `most` cuts with the output of the uncut body. Returns the first cuts with
/// another output, or nullopt. Copies the state before each cut. Adds the number of chunks to `feeds`.
std::optional<split::Cuts> first_different_cuts(testee::CopyableStream& stream, std::string_view body,
                                                recording::End end, std::size_t most, std::uint64_t& feeds);

/// Does the same with a new exchange for each split.
std::optional<split::Cuts> first_different_cuts(const RunSplit& run, std::size_t size, std::size_t most,
                                                std::uint64_t& feeds);

}  // namespace splitproof::prove
