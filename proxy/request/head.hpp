#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// What has to be known of a request that goes on in its own protocol: `model` and `stream`, and nothing else is read.
tl::expected<Asked, Refusal> read_head(std::string_view body, const Limits& limits);

/// The request with this model, an escaped text. All else stays as it is written.
std::string with_model(std::string_view body, const std::string& model, std::size_t depth);

}  // namespace splitproof::request
