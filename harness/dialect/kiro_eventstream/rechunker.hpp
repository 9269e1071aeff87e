#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Who deals Kiro's streams out anew: frames are written with right CRCs. Runs of text, of thinking and of the pieces of one
/// call's input; and deals of its own:
///
///     input:object  a call's input, where it is one JSON object, as that, in one frame
///     stop:alone    what says that a call has stopped, in a frame of its own
const split::Rechunker& kiro_dealer();

/// A trial's stream: the first run of text is replaced. None without one, or where the stream does not end well.
std::optional<CanaryStream> kiro_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
