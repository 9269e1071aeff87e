#include "harness/selftest/kinds/kind.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/dialect/self_test_registry.hpp"
#include "harness/glob.hpp"
#include "harness/selftest/kinds/families.hpp"
#include "harness/selftest/words_of.hpp"

namespace splitproof::selftest {

void KindList::add(std::string_view family, const Operator& operation, std::string_view applied_to,
                   std::function<ChangedBodies(const Draft&)> make) {
  std::string name(operation.name);
  if (!applied_to.empty()) name += "@" + std::string(applied_to);
  kinds_.push_back({std::move(name), family, operation.effect, operation.then,
                    [make = std::move(make)](const Draft& draft) {
                      ChangedBodies bodies = make(draft);
                      const std::string before = draft.body();
                      std::erase(bodies, before);
                      return bodies;
                    }});
}

void add_scenes(KindList& kinds, std::span<const dialect::StreamMutation> scenes) {
  for (const dialect::StreamMutation& scene : scenes) {
    kinds.add(scene.family, scene.what, scene.applied_to,
              [renumbers = !scene.keeps_numbers, change = scene.change](const Draft& draft) -> ChangedBodies {
                Draft changed = draft;
                if (draft.size() == 0 || !change(changed)) return {};
                if (renumbers) changed.renumber();
                return {changed.body()};
              });
  }
}

namespace {

std::vector<Kind> all_of(const dialect::SelfTestWords& words) {
  KindList kinds(words);
  add_wire_kinds(kinds);
  add_event_kinds(kinds);
  add_foreign_kinds(kinds);
  add_member_kinds(kinds);
  add_argument_kinds(kinds);
  add_name_kinds(kinds);
  add_prose_kinds(kinds);
  add_piece_kinds(kinds);
  add_repeat_kinds(kinds);
  for (const dialect::SceneTable table : words.flaws) add_scenes(kinds, table());
  add_legal_kinds(kinds);
  std::vector<Kind> all = std::move(kinds).take();
  std::erase_if(all, [&](const Kind& kind) {
    return std::any_of(words.impossible.begin(), words.impossible.end(),
                       [&](std::string_view glob) { return matches(std::string(glob), kind.name); });
  });
  return all;
}

}  // namespace

const std::vector<Kind>& kinds_of(std::string_view protocol) {
  using ByProtocol = std::map<std::string_view, std::vector<Kind>>;
  static const ByProtocol kAll = [] {
    ByProtocol all;
    for (const dialect::SelfTested& one : dialect::self_tested())
      all.emplace(one.protocol, all_of(*one.words));
    return all;
  }();
  static const std::vector<Kind> kNone;
  const auto found = kAll.find(protocol);
  return found == kAll.end() ? kNone : found->second;
}

Draft draft_of(std::string_view protocol, std::string_view body) {
  return Draft(body, words_of(protocol).number);
}

}  // namespace splitproof::selftest
