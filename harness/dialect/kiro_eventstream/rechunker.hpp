#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the dealer for Kiro's streams, which writes frames with correct CRCs. Runs consist of text, of thinking, or of
/// one call's input. Its own deals:
///
///     input:object  a call's input as one JSON object, if it is one, in one frame
///     stop:alone    the stop of a call, in a separate frame
const split::Rechunker& kiro_dealer();

/// Returns a trial's stream with the first run of text replaced. Returns nullopt without one, or if the
/// stream does not end properly.
std::optional<CanaryStream> kiro_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
