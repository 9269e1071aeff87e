// Events that are lost, doubled or moved, with all others unchanged.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {
namespace {

using dialect::EventPosition;
using dialect::KnownEvent;
using json = nlohmann::ordered_json;

bool is(const Draft& draft, std::size_t event, const KnownEvent& of) {
  if (of.field.empty()) return draft.frame(event).data == of.value;
  const json& value = draft.at({event, std::string(of.field)});
  return of.value.empty() ? !value.is_null() : value == of.value;
}

std::size_t first_of(const Draft& draft, const KnownEvent& of) {
  std::size_t i = 0;
  while (i < draft.size() && !is(draft, i, of)) ++i;
  return i;
}

struct EventOperator {
  Operator what;
  bool (*change)(Draft& draft, std::size_t event);
};

constexpr auto kOperators = std::to_array<EventOperator>({
    {{"lost", Effect::shape, "a client waits for it, or ignores the events that depend on it"},
     [](Draft& draft, std::size_t i) {
       draft.remove(i);
       return true;
     }},
    {{"doubled", Effect::shape, "a client starts again, ends twice or throws"},
     [](Draft& draft, std::size_t i) {
       draft.copy(i, i);
       return true;
     }},
    {{"later", Effect::shape, "earlier events have no place yet"},
     [](Draft& draft, std::size_t i) {
       if (i + 1 >= draft.size()) return false;
       draft.move(i, i + 1);
       return true;
     }},
    {{"first", Effect::shape, "a client has no place for it yet"},
     [](Draft& draft, std::size_t i) {
       if (i < 2) return false;
       draft.move(i, 0);
       return true;
     }},
    {{"last", Effect::shape, "a client has stopped reading, or joins it to the next"},
     [](Draft& draft, std::size_t i) {
       if (i + 2 >= draft.size()) return false;
       draft.move(i, draft.size() - 1);
       return true;
     }},
    {{"again-at-the-end", Effect::shape, "a client has stopped reading, or joins it to the next"},
     [](Draft& draft, std::size_t i) {
       if (i + 1 >= draft.size()) return false;
       draft.copy(i, draft.size());
       return true;
     }},
});

// True for impossible moves, before the first event or after the last, and for moves without effect, such as
// a role next to the first text.
bool cannot(const KnownEvent& of, std::string_view name) {
  switch (of.standing) {
    case EventPosition::first:
      return name == "first";
    case EventPosition::before_the_last:
      return name == "last";  // only possible after the last event, which is "later"
    case EventPosition::last:
      return name == "later" || name == "last" || name == "again-at-the-end";
    case EventPosition::anywhere:
      break;
  }
  return false;
}

}  // namespace

void add_event_kinds(KindList& kinds) {
  for (const KnownEvent& of : kinds.words().events) {
    for (const EventOperator& op : kOperators) {
      if (cannot(of, op.what.name)) continue;
      kinds.add("events", op.what, of.name, [of, change = op.change](const Draft& draft) -> ChangedBodies {
        const std::size_t event = first_of(draft, of);
        Draft changed = draft;
        if (event == draft.size() || !change(changed, event)) return {};
        changed.renumber();
        return {changed.body()};
      });
    }
  }
}

}  // namespace splitproof::selftest
