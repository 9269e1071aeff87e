#include "harness/dialect/dealers.hpp"

#include "harness/dialect/openai_chat/chat_dealer.hpp"

namespace splitproof::dialect {

const split::Dealer* dealer_of(std::string_view protocol) {
  return protocol == "openai.chat" ? &chat_dealer() : nullptr;
}

BodyFormat format_of(std::string_view protocol) {
  return {Framing::sse, protocol == "openai.chat" ? "[DONE]" : ""};
}

bool has_canaries(std::string_view protocol) { return protocol == "openai.chat"; }

std::optional<CanaryStream> canary_of(std::string_view protocol, std::string_view body, std::size_t number) {
  if (!has_canaries(protocol)) return std::nullopt;
  return chat_canary(body, number);
}

}  // namespace splitproof::dialect
