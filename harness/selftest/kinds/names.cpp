// Names of tools, and ids: their form and their references.

#include <array>

#include "harness/selftest/kinds/strand_kinds.hpp"

namespace splitproof::selftest {
namespace {

using Text = std::optional<std::string>;

constexpr std::string_view kNoTool =
    "no tool has that name, and the owner's request check refuses it in the next turn";
constexpr std::string_view kNoId = "the client cannot send the result back with that id";

constexpr auto kNames = std::to_array<TextOperator>({
    {{"empty", Effect::shape, kNoTool}, [](const std::string&) -> Text { return ""; }},
    {{"blank", Effect::shape, kNoTool}, [](const std::string&) -> Text { return " "; }},
    {{"blank-before", Effect::shape, kNoTool}, [](const std::string& t) -> Text { return " " + t; }},
    {{"blank-inside", Effect::shape, kNoTool},
     [](const std::string& t) -> Text { return with_inside(t, " "); }},
    {{"newline-behind", Effect::shape, kNoTool}, [](const std::string& t) -> Text { return t + "\n"; }},
    {{"tab-behind", Effect::shape, kNoTool}, [](const std::string& t) -> Text { return t + "\t"; }},
    {{"control-character", Effect::shape, kNoTool},
     [](const std::string& t) -> Text { return with_inside(t, "\x01"); }},
    {{"200-characters", Effect::shape, kNoTool},
     [](const std::string& t) -> Text {
       std::string made = t;
       made.resize(200, 'x');
       return made;
     }},
    {{"quoted", Effect::shape, kNoTool}, [](const std::string& t) -> Text { return "\"" + t + "\""; }},
    {{"markup-behind", Effect::shape, kNoTool},
     [](const std::string& t) -> Text { return t + "<|channel|>commentary"; }},
    {{"arguments-behind", Effect::shape, kNoTool}, [](const std::string& t) -> Text { return t + "({})"; }},
    {{"half-surrogate", Effect::shape, kNoTool},
     [](const std::string& t) -> Text { return t + std::string(dialect::kHighSurrogate); }},
    {{"bad-byte", Effect::shape, kNoTool},
     [](const std::string& t) -> Text { return t + std::string(dialect::kBadByte); }},
});

constexpr auto kIds = std::to_array<TextOperator>({
    {{"empty", Effect::shape, kNoId}, [](const std::string&) -> Text { return ""; }},
    {{"blank", Effect::shape, kNoId}, [](const std::string&) -> Text { return " "; }},
    {{"newline-behind", Effect::shape, kNoId}, [](const std::string& t) -> Text { return t + "\n"; }},
    {{"control-character", Effect::shape, kNoId},
     [](const std::string& t) -> Text { return with_inside(t, "\x01"); }},
});

constexpr auto kNoTexts = std::to_array<ValueOperator>({
    {{"null", Effect::shape, kNoText}, "null"},
    {{"number", Effect::shape, kNoText}, "7"},
    {{"true", Effect::shape, kNoText}, "true"},
    {{"list", Effect::shape, kNoText}, "[]"},
    {{"object", Effect::shape, kNoText}, "{}"},
});

constexpr Operator kAbsentName = {"absent", Effect::shape, kNoText};
constexpr Operator kOther = {"other", Effect::content,
                             "the client calls another tool than the model requested"};
constexpr Operator kShared = {"shared", Effect::shape, "two results go to one call, and one call gets none"};
constexpr Operator kSwapped = {"swapped", Effect::content, "each result goes to the other's call"};

// Calls `change` with the strands of a class, if it has at least two.
template <class Change>
ChangedBodies with_two(const dialect::SelfTestWords& words, std::string_view what, const Draft& draft,
                       const Change& change) {
  const std::vector<LogicalString> all = strands_of(words, draft, what);
  if (all.size() < 2 || all[0].text(draft) == all[1].text(draft)) return {};
  Draft changed = draft;
  change(all, changed);
  return {changed.body()};
}

void add_absent(KindList& kinds, const LogicalStringClass& of) {
  const dialect::SelfTestWords& words = kinds.words();
  kinds.add("names", kAbsentName, of.what, [&words, what = of.what](const Draft& draft) {
    ChangedBodies bodies;
    for (const LogicalString& strand : strands_of(words, draft, what)) {
      Draft changed = draft;
      for (const FieldRef& piece : strand.pieces) changed.erase(piece);
      for (const Repeat& repeat : strand.repeats) changed.erase(repeat.spot);
      bodies.push_back(changed.body());
    }
    return bodies;
  });
}

void add_crossed(KindList& kinds, const LogicalStringClass& of) {
  const dialect::SelfTestWords& words = kinds.words();
  kinds.add("names", kSwapped, of.what, [&words, what = of.what](const Draft& draft) {
    return with_two(words, what, draft, [&](const std::vector<LogicalString>& all, Draft& changed) {
      all[0].say(changed, all[1].text(draft));
      all[1].say(changed, all[0].text(draft));
    });
  });
  if (of.nature != StringKind::id) return;
  kinds.add("names", kShared, of.what, [&words, what = of.what](const Draft& draft) {
    return with_two(words, what, draft, [&](const std::vector<LogicalString>& all, Draft& changed) {
      all[1].say(changed, all[0].text(draft));
    });
  });
}

}  // namespace

void add_name_kinds(KindList& kinds) {
  add_text_kinds(kinds, "names", StringKind::name, kNames);
  add_value_kinds(kinds, "names", StringKind::name, kNoTexts);
  add_text_kinds(kinds, "names", StringKind::id, kIds);
  add_value_kinds(kinds, "names", StringKind::id, kNoTexts);
  const dialect::SelfTestWords& words = kinds.words();
  for (const LogicalStringClass& of : words.strand_classes()) {
    if (of.nature != StringKind::name && of.nature != StringKind::id) continue;
    add_absent(kinds, of);
    if (!of.one_a_stream) add_crossed(kinds, of);
    if (of.nature != StringKind::name) continue;
    kinds.add("names", kOther, of.what, [&words, what = of.what](const Draft& draft) {
      ChangedBodies bodies;
      for (const LogicalString& strand : strands_of(words, draft, what)) {
        Draft changed = draft;
        strand.say(changed, strand.text(draft) + "_x");
        bodies.push_back(changed.body());
      }
      return bodies;
    });
  }
}

}  // namespace splitproof::selftest
