#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes a request of Kiro's `generateAssistantResponse`:
///
///   conversationState
///     currentMessage   userInputMessage: what the user said last, images, and under its context tools and results
///     history          userInputMessage and assistantResponseMessage by turns
///   inferenceConfig    limits, where the client gives any
///
/// kiro_history says how turns become messages. The prompt of the system is the beginning of the first message. Kiro knows
/// no choice of tools: where one has to be called the last message ends in a sentence that says so, and where none may be
/// called no tools are sent. The conversation's id is made of its first message, so that it is the same at every turn.
/// Texts that end the answer and a format of it are refused.
tl::expected<std::string, request::Refusal> write_kiro_request(const request::Asked& asked);

}  // namespace splitproof::proxy::dialect
