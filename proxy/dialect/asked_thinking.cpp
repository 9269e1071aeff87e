#include "proxy/dialect/asked_thinking.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;

// Efforts use the words of OpenAI's protocols.
bool wants_thinking(const Asked& asked) { return !asked.effort.empty() && asked.effort != "none"; }

std::uint64_t budget_of(std::string_view effort) {
  if (effort == "minimal" || effort == "low") return 2048;
  return effort == "medium" ? 8192 : 24'576;
}

bool answers_results(const Asked& asked) {
  if (asked.turns.empty()) return false;
  const auto& blocks = asked.turns.back().blocks;
  return std::any_of(blocks.begin(), blocks.end(), [](const request::Block& block) {
    return std::holds_alternative<request::Result>(block);
  });
}

}  // namespace

std::string thinking_member(const Asked& asked, std::uint64_t max_tokens, AskThinking ask) {
  const bool forced = asked.choice == request::Choice::any || asked.choice == request::Choice::one;
  if (!wants_thinking(asked) || forced || !asked.temperature.empty() || !asked.top_p.empty()) return {};
  if (ask == AskThinking::adaptive) return R"("thinking":{"type":"adaptive"})";
  constexpr std::uint64_t kLeast = 1024;
  if (ask != AskThinking::budget || answers_results(asked) || max_tokens <= 2 * kLeast) return {};
  const std::uint64_t budget = std::min(budget_of(asked.effort), max_tokens - kLeast);
  return R"("thinking":{"type":"enabled","budget_tokens":)" + std::to_string(budget) + "}";
}

std::string effort_member(const Asked& asked, AskThinking ask) {
  if (ask != AskThinking::adaptive || !wants_thinking(asked)) return {};
  return "\"effort\":\"" + (asked.effort == "minimal" ? "low" : asked.effort) + "\"";
}

}  // namespace splitproof::proxy::dialect
