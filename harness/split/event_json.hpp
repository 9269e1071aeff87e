#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace splitproof::split {

/// Parses the JSON of an event that a recut may rewrite. Returns null if it is malformed, too deep to copy
/// safely, or contains the marker of lone surrogates.
std::shared_ptr<const nlohmann::ordered_json> parse_event(std::string_view text);

/// Returns compact JSON with keys in their order. Surrogates marked by `narrow` become escapes.
std::string write_event(const nlohmann::ordered_json& event);

}  // namespace splitproof::split
