#include "harness/dialect/registry.hpp"

#include <algorithm>
#include <array>

#include "harness/dialect/anthropic_messages/self_test.hpp"
#include "harness/dialect/openai_chat/self_test.hpp"
#include "harness/dialect/openai_responses/self_test.hpp"

namespace splitproof::dialect {
namespace {

constexpr auto kDialects = std::to_array<Dialect>({
    {"anthropic.messages", &kAnthropicWords},
    {"openai.chat", &kChatWords},
    {"openai.responses", &kResponsesWords},
});

}  // namespace

std::span<const Dialect> all() { return kDialects; }

const Dialect* find(std::string_view protocol) {
  const auto* found = std::find_if(kDialects.begin(), kDialects.end(),
                                   [&](const Dialect& dialect) { return dialect.protocol == protocol; });
  return found == kDialects.end() ? nullptr : found;
}

}  // namespace splitproof::dialect
