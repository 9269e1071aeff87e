#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/framing.hpp"
#include "harness/split/dealer.hpp"

namespace splitproof::dialect {

/// Who deals the bodies of a protocol out anew; null where nobody does.
const split::Dealer* dealer_of(std::string_view protocol);

/// What the bodies of a protocol are made of: server-sent events, unless more is known.
BodyFormat format_of(std::string_view protocol);

/// Whether `canary_of` knows the protocol.
bool has_canaries(std::string_view protocol);

/// Stream `number` of a trial with a body. None where it has no text that could be replaced, does not end well, or is of
/// another protocol.
std::optional<CanaryStream> canary_of(std::string_view protocol, std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
