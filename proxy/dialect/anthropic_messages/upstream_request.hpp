#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes an Anthropic Messages request, which always asks for a stream. Each text of the system prompt is a block, and
/// later system texts join them, because turns are only of user and assistant. The protocol refuses texts of white
/// space, so these are left out, and turns that become empty. Refused call ids are replaced uniquely.
///
/// The protocol needs a limit on output tokens. The knobs give one if the client does not. They also choose the form of
/// thinking if the client names an effort. Thinking is off where the protocol refuses it: with `temperature` and
/// `top_p`, with a forced tool, and, for a fixed budget, in an answer to results.
///
/// Refuses JSON without a schema as the answer's format.
tl::expected<std::string, request::Refusal> write_messages_request(const request::Asked& asked,
                                                                   const Knobs& knobs);

/// Returns the members of such a request without its `model` and `stream`, for services that have both elsewhere.
tl::expected<std::string, request::Refusal> messages_members(const request::Asked& asked, const Knobs& knobs);

}  // namespace splitproof::proxy::dialect
