#pragma once

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/request/conversation.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// Parts of a request of Chat Completions. They throw a request::Refusal.

void read_chat_messages(const wire::Json& messages, const Limits& limits,
                        request::Conversation& conversation);

void read_chat_tools(const wire::Json& tools, const Limits& limits, request::Asked& asked);

/// Requires that the tools have been read.
void read_chat_choice(const wire::Json& choice, request::Asked& asked);

}  // namespace splitproof::proxy::dialect
