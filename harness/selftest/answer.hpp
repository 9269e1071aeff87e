#pragma once

#include <string_view>
#include <variant>

#include "harness/dialect/anthropic_messages/message.hpp"
#include "harness/dialect/openai_responses/answer.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::selftest {

/// What a client assembles, as far as the upstream decides it; nothing of a protocol without a reader.
///
/// Left out is what a server chooses for itself, or of which no client makes anything: the model's name (docs/not-judged.md
/// says why), the words and the type of an error, and in an answer that fails the token counts and the reason for which
/// it would have stopped; and in one of Responses that fails what was streamed, which only an answer that ends well
/// repeats.
using Answer =
    std::variant<std::monostate, dialect::AnthropicMessage, observe::Answer, dialect::ResponsesAnswer>;

Answer answer_of(std::string_view protocol, const observe::Trace& trace);

}  // namespace splitproof::selftest
