#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Reads the fields of a relayed request that matter: `model` and `stream`. `in_target`: they are in its target, and
/// optional here.
tl::expected<Asked, Refusal> read_head(std::string_view body, const Limits& limits, bool in_target = false);

/// Returns the request with this model, an escaped text. All other bytes stay.
std::string with_model(std::string_view body, const std::string& model, std::size_t depth);

}  // namespace splitproof::request
