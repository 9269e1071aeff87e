#include "harness/dialect/self_test_registry.hpp"

#include <array>

#include "harness/dialect/anthropic_messages/self_test.hpp"
#include "harness/dialect/bedrock_converse/self_test.hpp"
#include "harness/dialect/google_gemini/self_test.hpp"
#include "harness/dialect/openai_chat/self_test.hpp"
#include "harness/dialect/openai_responses/self_test.hpp"

namespace splitproof::dialect {

std::span<const SelfTested> self_tested() {
  static constexpr std::array<SelfTested, 5> kAll = {{
      {"anthropic.messages", &kAnthropicWords},
      {"bedrock.converse", &kConverseWords},
      {"google.gemini", &kGeminiWords},
      {"openai.chat", &kChatWords},
      {"openai.responses", &kResponsesWords},
  }};
  return kAll;
}

}  // namespace splitproof::dialect
