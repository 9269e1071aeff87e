#include "harness/dialect/registry.hpp"

#include <algorithm>
#include <array>

#include "harness/dialect/anthropic_messages/asked.hpp"
#include "harness/dialect/anthropic_messages/client.hpp"
#include "harness/dialect/anthropic_messages/upstream.hpp"
#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/bedrock_converse/asked.hpp"
#include "harness/dialect/bedrock_converse/client.hpp"
#include "harness/dialect/bedrock_converse/upstream.hpp"
#include "harness/dialect/bedrock_invoke/upstream.hpp"
#include "harness/dialect/cohere_chat/upstream.hpp"
#include "harness/dialect/google_gemini/asked.hpp"
#include "harness/dialect/google_gemini/client.hpp"
#include "harness/dialect/google_gemini/upstream.hpp"
#include "harness/dialect/kiro_eventstream/upstream.hpp"
#include "harness/dialect/ollama_chat/upstream.hpp"
#include "harness/dialect/openai_chat/asked.hpp"
#include "harness/dialect/openai_chat/client.hpp"
#include "harness/dialect/openai_chat/upstream.hpp"
#include "harness/dialect/openai_responses/asked.hpp"
#include "harness/dialect/openai_responses/client.hpp"
#include "harness/dialect/openai_responses/marks.hpp"
#include "harness/dialect/openai_responses/socket_form.hpp"
#include "harness/dialect/openai_responses/upstream.hpp"

namespace splitproof::dialect {

namespace {

template <class Test>
std::string names_of(const Test& counts) {
  std::vector<std::string> names;
  for (const Dialect& dialect : all())
    if (counts(dialect)) names.emplace_back(dialect.protocol);
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return list;
}

}  // namespace

std::span<const Dialect> all() {
  static const AnthropicClient anthropic_client;
  static const AnthropicUpstream anthropic_upstream;
  static const ChatClient chat_client;
  static const ChatUpstream chat_upstream;
  static const CohereUpstream cohere_upstream;
  static const ConverseClient converse_client;
  static const BedrockConverseUpstream converse_upstream;
  static const BedrockInvokeUpstream invoke_upstream(anthropic_upstream);
  static const GeminiClient gemini_client;
  static const GeminiUpstream gemini_upstream;
  static const KiroUpstream kiro_upstream;
  static const OllamaUpstream ollama_upstream;
  static const ResponsesClient responses_client;
  static const ResponsesSocketForm responses_socket;
  static const ResponsesUpstream responses_upstream;
  static const auto kAll = std::to_array<Dialect>({
      {.protocol = "anthropic.messages",
       .upstream = &anthropic_upstream,
       .client = &anthropic_client,
       .refusal = refusal_of_anthropic,
       .marks = marks_of_anthropic,
       .has_irregular_recordings = true},
      {.protocol = "openai.chat", .upstream = &chat_upstream, .client = &chat_client, .marks = marks_of_chat},
      {.protocol = "openai.responses",
       .upstream = &responses_upstream,
       .client = &responses_client,
       .marks = marks_of_responses,
       .socket = &responses_socket},
      {.protocol = "google.gemini",
       .upstream = &gemini_upstream,
       .client = &gemini_client,
       .refusal = refusal_of_gemini,
       .marks = marks_of_gemini,
       .has_irregular_recordings = true},
      {.protocol = "ollama.chat", .upstream = &ollama_upstream, .refusal = refusal_of_ollama},
      {.protocol = "cohere.chat",
       .upstream = &cohere_upstream,
       .refusal = refusal_of_cohere,
       .has_irregular_recordings = true},
      {.protocol = "kiro.eventstream", .upstream = &kiro_upstream, .refusal = refusal_of_kiro},
      {.protocol = "bedrock.converse",
       .upstream = &converse_upstream,
       .client = &converse_client,
       .refusal = refusal_of_converse,
       .marks = marks_of_converse},
      {.protocol = "bedrock.invoke", .upstream = &invoke_upstream},
      {.protocol = "sse", .is_format = true},
  });
  return kAll;
}

const Dialect* find(std::string_view protocol) {
  const auto dialects = all();
  const auto found = std::find_if(dialects.begin(), dialects.end(),
                                  [&](const Dialect& dialect) { return dialect.protocol == protocol; });
  return found == dialects.end() ? nullptr : &*found;
}

const RequestDialect* request_reader_of(std::string_view side) {
  constexpr std::uint64_t kLeastOutputTokens = 16;
  static constexpr std::array<RequestDialect, 5> kAll = {{
      {"anthropic.messages", "/messages", asked_of_anthropic, 1, observe::is_plain_id, true, true},
      {"bedrock.converse", "/converse-stream", asked_of_converse, 1, converse_takes_id, false, true,
       "/converse", true},
      {"google.gemini", ":streamGenerateContent", asked_of_gemini, 1, gemini_takes_id, true, true,
       ":generateContent"},
      {"openai.chat", "/chat/completions", asked_of_chat},
      {"openai.responses", "/responses", asked_of_responses, kLeastOutputTokens, observe::is_any_id, true},
  }};
  const auto found = std::find_if(kAll.begin(), kAll.end(), [side](const RequestDialect& reader) {
    return side.starts_with(reader.protocol) && side.substr(reader.protocol.size()) == kUpstreamSide;
  });
  return found == kAll.end() ? nullptr : &*found;
}

std::string client_names() {
  return names_of([](const Dialect& dialect) { return dialect.client != nullptr; });
}

std::string upstream_names() {
  return names_of([](const Dialect& dialect) { return dialect.upstream != nullptr; });
}

std::string socket_names() {
  return names_of([](const Dialect& dialect) { return dialect.socket != nullptr; });
}

const SocketForm* socket_form_of(std::string_view protocol) {
  const Dialect* dialect = find(protocol);
  return dialect != nullptr ? dialect->socket : nullptr;
}

std::string protocol_names() {
  return names_of([](const Dialect&) { return true; });
}

const UpstreamDialect* upstream_of(std::string_view protocol) {
  const Dialect* dialect = find(protocol);
  return dialect ? dialect->upstream : nullptr;
}

const Client* client_of(std::string_view protocol) {
  const Dialect* dialect = find(protocol);
  return dialect ? dialect->client : nullptr;
}

const split::Rechunker* dealer_of(std::string_view protocol) {
  const UpstreamDialect* upstream = upstream_of(protocol);
  return upstream ? upstream->dealer() : nullptr;
}

BodyFormat format_of(std::string_view protocol) {
  const UpstreamDialect* upstream = upstream_of(protocol);
  return upstream ? upstream->format() : BodyFormat();
}

}  // namespace splitproof::dialect
