// Content that a stream repeats differently. Clients read it at different places.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/strand_kinds.hpp"

namespace splitproof::selftest {
namespace {

struct RepeatOperator {
  Operator what;
  void (*change)(Draft& draft, const FieldRef& spot);
};

constexpr std::string_view kDiffers = "clients that read it at different places disagree";

constexpr auto kRepeatOperators = std::to_array<RepeatOperator>({
    {{"differs", Effect::shape, kDiffers},
     [](Draft& draft, const FieldRef& spot) { draft.set(spot, draft.text(spot) + "x"); }},
    {{"cut-short", Effect::shape, kDiffers},
     [](Draft& draft, const FieldRef& spot) { draft.set(spot, first_half(draft.text(spot))); }},
    {{"twice", Effect::shape, kDiffers},
     [](Draft& draft, const FieldRef& spot) { draft.set(spot, draft.text(spot) + draft.text(spot)); }},
    {{"empty", Effect::shape, kDiffers}, [](Draft& draft, const FieldRef& spot) { draft.set(spot, ""); }},
    {{"null", Effect::shape, kDiffers}, [](Draft& draft, const FieldRef& spot) { draft.set(spot, nullptr); }},
    {{"number", Effect::shape, kDiffers}, [](Draft& draft, const FieldRef& spot) { draft.set(spot, 7); }},
    {{"absent", Effect::shape, kDiffers}, [](Draft& draft, const FieldRef& spot) { draft.erase(spot); }},
});

}  // namespace

void add_repeat_kinds(KindList& kinds) {
  const dialect::SelfTestWords& words = kinds.words();
  for (const LogicalStringClass& of : words.strand_classes()) {
    for (const std::string_view where : of.repeats) {
      for (const RepeatOperator& op : kRepeatOperators) {
        const std::string applied_to = std::string(of.what) + "/" + std::string(where);
        kinds.add("repeats", op.what, applied_to,
                  [&words, what = of.what, where, change = op.change](const Draft& draft) {
                    ChangedBodies bodies;
                    for (const LogicalString& strand : strands_of(words, draft, what)) {
                      for (const Repeat& repeat : strand.repeats) {
                        if (repeat.where != where) continue;
                        Draft changed = draft;
                        change(changed, repeat.spot);
                        bodies.push_back(changed.body());
                        break;  // one per strand is enough
                      }
                    }
                    return bodies;
                  });
      }
    }
  }
}

}  // namespace splitproof::selftest
