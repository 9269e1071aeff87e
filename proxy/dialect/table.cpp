#include "proxy/dialect/table.hpp"

#include <array>

namespace splitproof::proxy::dialect {
namespace {

constexpr std::array kUpstreams = {
    Upstream{
        "openai.chat",
        [](const Limits& limits) -> Framer { return wire::SseFramer(limits.event_bytes); },
        [](const Knobs& knobs, const Limits& limits) -> Reader {
          return ChatReader(knobs.same_index_new_id, limits);
        },
    },
};

constexpr std::array kClients = {
    Client{
        "anthropic.messages",
        [](const Knobs& knobs, std::uint64_t seed) -> Writer {
          return AnthropicWriter(seed, knobs.content_filter);
        },
    },
};

}  // namespace

std::span<const Upstream> upstreams() { return kUpstreams; }

std::span<const Client> clients() { return kClients; }

}  // namespace splitproof::proxy::dialect
