#include "harness/selftest/kinds/kind.hpp"

#include <map>
#include <utility>

#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {

std::string_view name(Effect effect) {
  switch (effect) {
    case Effect::content:
      return "content";
    case Effect::shape:
      return "shape";
    case Effect::none:
      return "none";
  }
  return "";
}

void KindList::add(std::string_view family, const Operator& operation, std::string_view applied_to,
                   std::function<Bodies(const Draft&)> make) {
  std::string name(operation.name);
  if (!applied_to.empty()) name += "@" + std::string(applied_to);
  kinds_.push_back({std::move(name), family, operation.effect, operation.then,
                    [make = std::move(make)](const Draft& draft) {
                      Bodies bodies = make(draft);
                      const std::string before = draft.body();
                      std::erase(bodies, before);
                      return bodies;
                    }});
}

const std::vector<Kind>& kinds_of(std::string_view protocol) {
  const auto all_of = [](std::string_view of) {
    KindList kinds(of);
    add_wire_kinds(kinds);
    add_event_kinds(kinds);
    add_foreign_kinds(kinds);
    add_field_kinds(kinds);
    add_argument_kinds(kinds);
    add_name_kinds(kinds);
    add_prose_kinds(kinds);
    add_piece_kinds(kinds);
    add_repeat_kinds(kinds);
    if (of == "anthropic.messages") add_anthropic_kinds(kinds);
    if (of == "openai.chat") add_chat_kinds(kinds);
    if (of == "openai.responses") add_responses_kinds(kinds);
    add_legal_kinds(kinds);
    return std::move(kinds).take();
  };
  static const std::vector<Kind> kAnthropic = all_of("anthropic.messages");
  static const std::vector<Kind> kChat = all_of("openai.chat");
  static const std::vector<Kind> kResponses = all_of("openai.responses");
  static const std::vector<Kind> kNone;
  if (protocol == "anthropic.messages") return kAnthropic;
  if (protocol == "openai.chat") return kChat;
  if (protocol == "openai.responses") return kResponses;
  return kNone;
}

}  // namespace splitproof::selftest
