#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes a request of Kiro's `generateAssistantResponse`:
///
///     conversationState
///       currentMessage   userInputMessage: the user's last message, images, and a context of tools and results
///       history          alternating userInputMessage and assistantResponseMessage
///     inferenceConfig    limits, if the client gives any
///
/// kiro_history turns the turns into messages. The system prompt starts the first message. Kiro has no choice of tools.
/// If the client forces a tool, the last message ends with a sentence about it. If it forbids tools, none are sent. The
/// conversation's id is made from its first message, so it stays the same. Refuses stop texts and an answer format.
tl::expected<std::string, request::Refusal> write_kiro_request(const request::Asked& asked);

}  // namespace splitproof::proxy::dialect
