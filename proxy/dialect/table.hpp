#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "proxy/dialect/anthropic_messages/writer.hpp"
#include "proxy/dialect/knobs.hpp"
#include "proxy/dialect/openai_chat/reader.hpp"
#include "proxy/limits.hpp"
#include "proxy/wire/sse_framer.hpp"

namespace splitproof::proxy::dialect {

// The one place that names the protocols. CONTRIBUTING.md says what a part of each kind has to provide.

using Framer = std::variant<wire::SseFramer>;  // bytes to frames
using Reader = std::variant<ChatReader>;       // frames to the events of a turn
using Writer = std::variant<AnthropicWriter>;  // the steps of a turn to bytes

/// A protocol as upstreams speak it.
struct Upstream {
  std::string_view protocol;
  Framer (*framer)(const Limits& limits);
  Reader (*reader)(const Knobs& knobs, const Limits& limits);
};

/// A protocol as clients speak it.
struct Client {
  std::string_view protocol;
  Writer (*writer)(const Knobs& knobs, std::uint64_t seed);
};

/// All of them; the first is the default.
std::span<const Upstream> upstreams();
std::span<const Client> clients();

}  // namespace splitproof::proxy::dialect
