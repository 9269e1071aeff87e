#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace splitproof::split {

/// The JSON text of an event that a recut may write anew. Null where it is broken, nested so deep that copying it would
/// be dangerous, or holds the character that marks a lone surrogate.
std::shared_ptr<const nlohmann::ordered_json> parse_event(std::string_view text);

/// It as compact JSON text, keys in their order; surrogates that `narrow` marked are written as escapes.
std::string write_event(const nlohmann::ordered_json& event);

}  // namespace splitproof::split
