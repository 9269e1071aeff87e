#include "proxy/request/tool_choice.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "proxy/request/told_result.hpp"

namespace splitproof::request {
namespace {

void flatten_history(Asked& asked) {
  for (Turn& turn : asked.turns) {
    std::vector<Block> blocks;
    for (Block& block : turn.blocks) {
      if (const auto* result = std::get_if<Result>(&block)) {
        blocks.emplace_back(Text{told(*result)});
        add_images(*result, blocks);
      } else if (!std::holds_alternative<Call>(block)) {
        blocks.push_back(std::move(block));
      }
    }
    turn.blocks = std::move(blocks);
  }
  std::erase_if(asked.turns, [](const Turn& turn) { return turn.blocks.empty(); });
}

void append_to_last_user_turn(std::string text, Asked& asked) {
  const auto last = std::find_if(asked.turns.rbegin(), asked.turns.rend(),
                                 [](const Turn& turn) { return turn.role == Role::user; });
  if (last == asked.turns.rend())
    asked.turns.push_back({Role::user, {Text{std::move(text)}}});
  else
    last->blocks.emplace_back(Text{std::move(text)});
}

}  // namespace

std::string directive(const Asked& asked) {
  if (asked.tools.empty()) return {};
  switch (asked.choice) {
    case Choice::automatic:
    case Choice::none:
      break;
    case Choice::any:
      return "You must call at least one of the available tools.";
    case Choice::one:
      return "You must call the tool " + asked.chosen + ".";
  }
  return {};
}

void put_choice_into_words(Asked& asked) {
  if (asked.choice == Choice::none) {
    asked.tools.clear();
    flatten_history(asked);
  }
  if (std::string text = directive(asked); !text.empty()) append_to_last_user_turn(std::move(text), asked);
  asked.choice = Choice::automatic;
  asked.chosen.clear();
}

}  // namespace splitproof::request
