#include "proxy/dialect/table.hpp"

#include <algorithm>
#include <array>

#include "proxy/dialect/anthropic_messages/answer.hpp"
#include "proxy/dialect/anthropic_messages/request.hpp"
#include "proxy/dialect/ollama_chat/request.hpp"
#include "proxy/dialect/openai_chat/request.hpp"

namespace splitproof::proxy::dialect {
namespace {

constexpr std::array kUpstreams = {
    Upstream{
        .protocol = "openai.chat",
        .title = "OpenAI Chat Completions",
        .path = "/chat/completions",
        .example_base = "https://api.openai.com/v1",
        .framer = [](const Limits& limits) -> Framer { return wire::SseFramer(limits.event_bytes); },
        .reader = [](const Knobs& knobs, const Limits& limits) -> Reader {
          return ChatReader(knobs.same_index_new_id, limits);
        },
        .write_request = write_chat_request,
    },
    Upstream{
        .protocol = "ollama.chat",
        .title = "Ollama chat",
        .path = "/api/chat",
        .example_base = "http://127.0.0.1:11434",
        .framer = [](const Limits& limits) -> Framer { return OllamaFramer(limits.event_bytes); },
        .reader = [](const Knobs&, const Limits& limits) -> Reader { return OllamaReader(limits); },
        .write_request = write_ollama_request,
    },
};

constexpr std::array kClients = {
    Client{
        .protocol = "anthropic.messages",
        .title = "Anthropic Messages",
        .path = "/v1/messages",
        .key_header = "x-api-key",
        .writer = [](const Knobs& knobs, std::uint64_t seed) -> Writer {
          return AnthropicWriter(seed, knobs.content_filter);
        },
        .read_request = read_messages_request,
        .error = messages_error,
        .lone_error = messages_lone_error,
        .whole_answer = messages_whole_answer,
    },
};

}  // namespace

std::span<const Upstream> upstreams() { return kUpstreams; }

std::span<const Client> clients() { return kClients; }

const Upstream* find_upstream(std::string_view protocol) {
  const auto row = std::find_if(kUpstreams.begin(), kUpstreams.end(),
                                [&](const Upstream& upstream) { return upstream.protocol == protocol; });
  return row == kUpstreams.end() ? nullptr : &*row;
}

}  // namespace splitproof::proxy::dialect
