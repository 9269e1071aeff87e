#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace splitproof::request {

/// Which field carries the limit on output tokens. OpenAI's reasoning models take only the second, many other servers
/// only the first.
enum class MaxTokensField : std::uint8_t { max_tokens, max_completion_tokens };

/// How requests are translated.
struct Options {
  std::map<std::string, std::string> models;  ///< asked for -> asked of the upstream; others pass unchanged
  std::string model;  ///< asked of the upstream whatever was asked for; empty: see `models`
  MaxTokensField max_tokens_field = MaxTokensField::max_tokens;
  std::size_t json_depth = 128;  ///< nesting of the client's JSON

  bool operator==(const Options&) const = default;
};

/// A Chat Completions request.
struct ChatRequest {
  std::string body;                         ///< JSON; always asks for a stream, and for usage at its end
  bool stream = false;                      ///< the client asked for a stream
  std::vector<std::string> stop_sequences;  ///< that the client asked for, in UTF-8

  bool operator==(const ChatRequest&) const = default;
};

/// Why a request cannot be translated.
struct Refusal {
  std::string
      message;  ///< "FIELD: WHAT", the field as a path: "messages.2.content.0.type"; never holds contents

  bool operator==(const Refusal&) const = default;
};

/// Translates an Anthropic Messages request into a Chat Completions request. Pure.
///
/// Strings, schemas and the inputs of tools keep the bytes that the client wrote: big integers, the order of keys and
/// escapes survive. What means nothing to the upstream's answer, or has no counterpart and changes little, is left
/// out: metadata, cache_control, thinking (the setting, and the blocks of earlier turns), service_tier, unknown fields.
/// What would change the answer is refused: server tools, mcp_servers, container, top_k, unknown kinds of content.
/// docs/proxy.md has the table.
tl::expected<ChatRequest, Refusal> to_chat(std::string_view messages_request, const Options& options);

}  // namespace splitproof::request
