#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes an Anthropic Messages request, which always asks for a stream. Each text of the system prompt is a block; what
/// the system says later joins them, for turns are of user and assistant alone. Texts of nothing but white space, which
/// the protocol refuses, are left out, and turns of which nothing is left. Ids of calls that it refuses are replaced, each
/// by its own.
///
/// Where the client sets no limit on output tokens, which the protocol needs, it is that of the knobs; they also say how
/// thinking is asked for, if the client names an effort. It is not asked for where the protocol refuses it: beside
/// `temperature` and `top_p`, with a tool that has to be called, and, of a fixed budget, in an answer to results.
///
/// Refuses JSON without a schema as the form of an answer.
tl::expected<std::string, request::Refusal> write_messages_request(const request::Asked& asked,
                                                                   const Knobs& knobs);

}  // namespace splitproof::proxy::dialect
