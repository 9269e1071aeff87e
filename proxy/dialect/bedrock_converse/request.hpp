#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

inline constexpr std::size_t kMostConverseToolName = 64;

/// Writes a request of Bedrock's `ConverseStream`. The model is in the path.
///
/// Later texts of the system join the first ones, and consecutive turns of one side become one message with its results
/// first. The protocol refuses texts of white space, so these are left out, and turns that become empty. A call and its
/// result in the user's next message form a pair. A call without a result is left out, and a result without a call
/// becomes words. So do all results without tools.
///
/// The protocol has no choice of no tool: the tools are left out instead. An effort of thinking becomes Claude's own
/// member. Refuses images by URL, a format of the answer, and a `temperature` above 1.
tl::expected<std::string, request::Refusal> write_converse_request(const request::Asked& asked,
                                                                   const Knobs& knobs);

/// Returns the path for a model: its id or ARN.
std::string converse_path(std::string_view base, std::string_view model, bool stream);

/// Returns a tool name of letters, digits, `_` and `-`.
std::string converse_tool_name(std::string_view name);

}  // namespace splitproof::proxy::dialect
