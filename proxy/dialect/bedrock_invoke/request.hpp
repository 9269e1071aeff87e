#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Returns why `InvokeModelWithResponseStream` cannot take a request to a Claude model: it takes no images by URL.
std::optional<request::Refusal> invoke_refusal(const request::Asked& asked);

/// Returns the body with these members of the model's own protocol, which has the model in the path.
std::string invoke_body(std::string_view members);

/// Returns the path for a model: its id or ARN.
std::string invoke_path(std::string_view base, std::string_view model, bool stream);

}  // namespace splitproof::proxy::dialect
