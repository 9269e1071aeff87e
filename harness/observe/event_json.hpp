#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/strict_json.hpp"

namespace splitproof::observe {

/// The JSON of an event.
struct EventJson {
  std::shared_ptr<const nlohmann::json> json;
  std::string half_pair;  ///< the first escape of half a surrogate pair: `\ud83d`; empty without one
};

/// Reads as parse_strict_json does, and also halves of surrogate pairs, which RFC 8259 allows: a character dealt out over
/// two events is two halves, which clients in JavaScript put together. A half stands in a string as the three bytes that
/// its code point would have (WTF-8; join_pairs makes text of two), so whoever dumps the value replaces what is no UTF-8.
tl::expected<EventJson, JsonFault> parse_event_json(std::string_view text);

}  // namespace splitproof::observe
