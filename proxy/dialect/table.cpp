#include "proxy/dialect/table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "proxy/dialect/anthropic_messages/answer.hpp"
#include "proxy/dialect/anthropic_messages/request.hpp"
#include "proxy/dialect/anthropic_messages/tool_places.hpp"
#include "proxy/dialect/anthropic_messages/upstream_request.hpp"
#include "proxy/dialect/bedrock_converse/answer.hpp"
#include "proxy/dialect/bedrock_converse/client_request.hpp"
#include "proxy/dialect/bedrock_converse/errors.hpp"
#include "proxy/dialect/bedrock_converse/request.hpp"
#include "proxy/dialect/bedrock_converse/target.hpp"
#include "proxy/dialect/bedrock_invoke/request.hpp"
#include "proxy/dialect/google_gemini/answer.hpp"
#include "proxy/dialect/google_gemini/client_request.hpp"
#include "proxy/dialect/google_gemini/errors.hpp"
#include "proxy/dialect/google_gemini/target.hpp"
#include "proxy/dialect/google_gemini/upstream_request.hpp"
#include "proxy/dialect/kiro_eventstream/request.hpp"
#include "proxy/dialect/kiro_eventstream/tool_name.hpp"
#include "proxy/dialect/ollama_chat/request.hpp"
#include "proxy/dialect/openai_chat/answer.hpp"
#include "proxy/dialect/openai_chat/client_request.hpp"
#include "proxy/dialect/openai_chat/request.hpp"
#include "proxy/dialect/openai_error.hpp"
#include "proxy/dialect/openai_responses/answer.hpp"
#include "proxy/dialect/openai_responses/references.hpp"
#include "proxy/dialect/openai_responses/request.hpp"
#include "proxy/dialect/openai_responses/socket.hpp"
#include "proxy/dialect/openai_responses/upstream_request.hpp"

namespace splitproof::proxy::dialect {
namespace {

constexpr std::string_view kBearer = "Authorization: Bearer ";

constexpr std::string_view kEventStream = "application/vnd.amazon.eventstream";

Framer sse_framer(const Limits& limits) { return wire::SseFramer(limits.event_bytes); }

Framer event_stream_framer(const Limits& limits) { return wire::EventStreamFramer(limits.event_bytes); }

constexpr ToolsInPlace kMessagesTools = {
    .request = messages_request_tools,
    .answer = messages_answer_tools,
    .calls = [](names::ToolMap map, const Limits& limits) { return ToldCalls(std::move(map), limits); },
};

constexpr std::array kUpstreams = {
    UpstreamRow{
        .protocol = "openai.chat",
        .title = "OpenAI Chat Completions",
        .path = "/chat/completions",
        .example_base = "https://api.openai.com/v1",
        .key_header = kBearer,
        .header = "",
        .framer = sse_framer,
        .reader = [](const Knobs& knobs, const Limits& limits) -> Reader {
          return ChatReader(knobs.same_index_new_id, limits);
        },
        .write_request = [](const request::Asked& asked,
                            const Knobs& knobs) -> tl::expected<std::string, request::Refusal> {
          if (auto refusal = chat_refusal(asked)) return tl::make_unexpected(*std::move(refusal));
          return write_chat_request(asked, knobs);
        },
        .order = [](const turn::Rules& rules, const Knobs&, const request::Reply&) -> Order {
          return ChatOrder(rules);
        },
    },
    UpstreamRow{
        .protocol = "ollama.chat",
        .title = "Ollama chat",
        .path = "/api/chat",
        .example_base = "http://127.0.0.1:11434",
        .key_header = kBearer,
        .header = "",
        .framer = [](const Limits& limits) -> Framer { return OllamaFramer(limits.event_bytes); },
        .reader = [](const Knobs&, const Limits& limits) -> Reader { return OllamaReader(limits); },
        .write_request = [](const request::Asked& asked, const Knobs& knobs)
            -> tl::expected<std::string, request::Refusal> { return write_ollama_request(asked, knobs); },
    },
    UpstreamRow{
        .protocol = "anthropic.messages",
        .title = "Anthropic Messages",
        .path = "/v1/messages",
        .example_base = "https://api.anthropic.com",
        .key_header = "x-api-key: ",
        .header = "anthropic-version: 2023-06-01",
        .framer = sse_framer,
        .reader = [](const Knobs&, const Limits& limits) -> Reader { return AnthropicReader(limits); },
        .write_request = write_messages_request,
        .order = [](const turn::Rules& rules, const Knobs& knobs, const request::Reply&) -> Order {
          return AnthropicOrder(rules, knobs);
        },
        .tools_in_place = &kMessagesTools,
    },
    UpstreamRow{
        .protocol = "openai.responses",
        .title = "OpenAI Responses",
        .path = "/responses",
        .example_base = "https://api.openai.com/v1",
        .key_header = kBearer,
        .header = "",
        .framer = sse_framer,
        .reader = [](const Knobs&, const Limits& limits) -> Reader { return ResponsesReader(limits); },
        .write_request = [](const request::Asked& asked,
                            const Knobs&) { return write_responses_request(asked); },
        .order = [](const turn::Rules& rules, const Knobs& knobs, const request::Reply& reply) -> Order {
          return ResponsesOrder(rules, knobs, reply);
        },
        .socket = &kResponsesSocket,
    },
    UpstreamRow{
        .protocol = "kiro.eventstream",
        .title = "Kiro",
        .path = "/generateAssistantResponse",
        .example_base = "https://q.us-east-1.amazonaws.com",
        .key_header = kBearer,
        .header = "X-Amz-Target: AmazonCodeWhispererStreamingService.GenerateAssistantResponse",
        .framer = event_stream_framer,
        .reader = [](const Knobs& knobs, const Limits& limits) -> Reader {
          return KiroReader(knobs.answer_end, limits);
        },
        .write_request = [](const request::Asked& asked, const Knobs&) { return write_kiro_request(asked); },
        .accepted = kEventStream,
        .tool_names = {kiro_tool_name, kMostKiroToolName},
        .says_choice = true,
        .takes_stops = false,
    },
    UpstreamRow{
        .protocol = "google.gemini",
        .title = "Google Gemini",
        .path = "/v1beta/models/MODEL:streamGenerateContent?alt=sse",
        .example_base = "https://generativelanguage.googleapis.com",
        .key_header = "x-goog-api-key: ",
        .header = "",
        .framer = [](const Limits& limits) -> Framer { return GeminiFramer(limits.event_bytes); },
        .reader = [](const Knobs&, const Limits& limits) -> Reader { return GeminiReader(limits); },
        .write_request = [](const request::Asked& asked,
                            const Knobs&) { return write_gemini_request(asked); },
        .order = [](const turn::Rules& rules, const Knobs&, const request::Reply&) -> Order {
          return GeminiOrder(rules);
        },
        .tool_names = {gemini_tool_name, kMostGeminiToolName},
        .path_for = gemini_path,
    },
    UpstreamRow{
        .protocol = "bedrock.converse",
        .title = "Amazon Bedrock Converse",
        .path = "/model/MODEL/converse-stream",
        .example_base = "https://bedrock-runtime.us-east-1.amazonaws.com",
        .key_header = kBearer,
        .header = "",
        .framer = event_stream_framer,
        .reader = [](const Knobs&, const Limits& limits) -> Reader { return ConverseReader(limits); },
        .write_request = write_converse_request,
        .order = [](const turn::Rules& rules, const Knobs&, const request::Reply&) -> Order {
          return ConverseOrder(rules);
        },
        .accepted = kEventStream,
        .tool_names = {converse_tool_name, kMostConverseToolName},
        .path_for = converse_path,
    },
    UpstreamRow{
        .protocol = "bedrock.invoke",
        .title = "Amazon Bedrock InvokeModel",
        .path = "/model/MODEL/invoke-with-response-stream",
        .example_base = "https://bedrock-runtime.us-east-1.amazonaws.com",
        .key_header = kBearer,
        .header = "",
        .framer = event_stream_framer,
        .reader = [](const Knobs&, const Limits& limits) -> Reader {
          return InvokeReader<AnthropicReader>(limits);
        },
        .write_request = [](const request::Asked& asked,
                            const Knobs& knobs) -> tl::expected<std::string, request::Refusal> {
          if (auto refusal = invoke_refusal(asked)) return tl::make_unexpected(*std::move(refusal));
          const auto members = messages_members(asked, knobs);
          if (!members) return tl::make_unexpected(members.error());
          return invoke_body(*members);
        },
        .accepted = kEventStream,
        .path_for = invoke_path,
    },
};

constexpr std::array kClients = {
    ClientRow{
        .protocol = "anthropic.messages",
        .title = "Anthropic Messages",
        .path = "/v1/messages",
        .key_header = "x-api-key",
        .own_headers = "anthropic-",
        .layout = {.signs = true},
        .writer = [](const Knobs& knobs, const request::Reply& reply) -> Writer {
          return AnthropicWriter(reply, knobs.content_filter);
        },
        .read_request = read_messages_request,
        .error = messages_error,
        .refused = messages_refused,
        .lone_error = messages_lone_error,
        .is_error = is_messages_error,
        .whole_answer = messages_whole_answer,
    },
    ClientRow{
        .protocol = "openai.responses",
        .title = "OpenAI Responses",
        .path = "/v1/responses",
        .key_header = "",
        .own_headers = "openai-",
        .layout = {.side_by_side = true, .repeats = true},
        .writer = [](const Knobs&, const request::Reply& reply) -> Writer { return ResponsesWriter(reply); },
        .read_request = read_responses_request,
        .error = openai_error,
        .refused = openai_refused,
        .lone_error = responses_lone_error,
        .is_error = is_openai_error,
        .whole_answer = responses_whole_answer,
        .resolve = resolve_references,
        .socket = &kResponsesSocket,
    },
    ClientRow{
        .protocol = "openai.chat",
        .title = "OpenAI Chat Completions",
        .path = "/v1/chat/completions",
        .key_header = "",
        .own_headers = "openai-",
        .layout = {.side_by_side = true},
        .writer = [](const Knobs&, const request::Reply& reply) -> Writer { return ChatWriter(reply); },
        .read_request = read_chat_request,
        .error = openai_error,
        .refused = openai_refused,
        .lone_error = chat_lone_error,
        .is_error = is_openai_error,
        .whole_answer = chat_whole_answer,
    },
    ClientRow{
        .protocol = "google.gemini",
        .title = "Google Gemini",
        .path = "/v1beta/models/MODEL:streamGenerateContent",
        .key_header = kGeminiKeyHeader,
        .own_headers = "x-goog-",
        .layout = {},
        .writer = [](const Knobs&, const request::Reply& reply) -> Writer { return GeminiWriter(reply); },
        .read_request = read_gemini_request,
        .error = gemini_error,
        .refused = gemini_refused,
        .lone_error = gemini_lone_error,
        .is_error = is_gemini_error,
        .whole_answer = gemini_whole_answer,
        .set_status = set_gemini_status,
        .owns = is_gemini_path,
        .read_target = read_gemini_target,
        .key_member = kGeminiKeyMember,
    },
    ClientRow{
        .protocol = "bedrock.converse",
        .title = "Amazon Bedrock Converse",
        .path = "/model/MODEL/converse-stream",
        .key_header = "",
        .own_headers = "x-amzn-bedrock-",
        .layout = {.signs = true},
        .writer = [](const Knobs&, const request::Reply& reply) -> Writer { return ConverseWriter(reply); },
        .read_request = read_converse_request,
        .error = converse_error,
        .refused = converse_refused,
        .lone_error = converse_lone_error,
        .is_error = is_converse_error,
        .whole_answer = converse_whole_answer,
        .owns = is_converse_path,
        .read_target = read_converse_target,
        .stream_type = kEventStream,
    },
};

}  // namespace

std::span<const UpstreamRow> upstreams() { return kUpstreams; }

std::span<const ClientRow> clients() { return kClients; }

const UpstreamRow* find_upstream(std::string_view protocol) {
  const auto row = std::find_if(kUpstreams.begin(), kUpstreams.end(),
                                [&](const UpstreamRow& upstream) { return upstream.protocol == protocol; });
  return row == kUpstreams.end() ? nullptr : &*row;
}

const ClientRow* find_client(std::string_view protocol) {
  const auto row = std::find_if(kClients.begin(), kClients.end(),
                                [&](const ClientRow& client) { return client.protocol == protocol; });
  return row == kClients.end() ? nullptr : &*row;
}

}  // namespace splitproof::proxy::dialect
