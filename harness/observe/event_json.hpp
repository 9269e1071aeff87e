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
  std::string lone_surrogate;  ///< Escape of the first lone surrogate, such as `\ud83d`; empty without one.
};

/// Reads like parse_strict_json, but accepts lone surrogates, which RFC 8259 allows. A character that is
/// split over two events becomes two of them, and JavaScript clients join them. A lone surrogate becomes the
/// three bytes of its code point (WTF-8; join_surrogates makes text of two). So replace invalid UTF-8 when
/// you dump the value.
tl::expected<EventJson, JsonFault> parse_event_json(std::string_view text);

}  // namespace splitproof::observe
