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
  std::string lone_surrogate;  ///< the escape of the first lone surrogate: `\ud83d`; empty without one
};

/// Reads as parse_strict_json does, and also lone surrogates, which RFC 8259 allows: a character dealt out over
/// two events is two of them, which clients in JavaScript put together. One stands in a string as the three bytes that
/// its code point would have (WTF-8; join_surrogates makes text of two), so whoever dumps the value replaces what is no UTF-8.
tl::expected<EventJson, JsonFault> parse_event_json(std::string_view text);

}  // namespace splitproof::observe
