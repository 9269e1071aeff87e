#include "harness/selftest/kinds/strand_kinds.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::selftest {
namespace {

// Text that is empty or was cut with the answer shows no effect when it is broken.
bool is_sound(StringKind nature, const std::string& text) {
  return !text.empty() && (nature != StringKind::arguments || nlohmann::json::accept(text));
}

template <class Change>
ChangedBodies for_each_strand(const dialect::SelfTestWords& words, std::string_view what, const Draft& draft,
                              const Change& change) {
  ChangedBodies bodies;
  for (const LogicalString& strand : strands_of(words, draft, what)) {
    Draft changed = draft;
    if (change(strand, changed)) bodies.push_back(changed.body());
  }
  return bodies;
}

}  // namespace

std::vector<LogicalString> strands_of(const dialect::SelfTestWords& words, const Draft& draft,
                                      std::string_view what) {
  std::vector<LogicalString> strands = words.strands(draft);
  std::erase_if(strands, [&](const LogicalString& strand) { return strand.what != what; });
  return strands;
}

void add_text_kinds(KindList& kinds, std::string_view family, StringKind nature,
                    std::span<const TextOperator> operators) {
  const dialect::SelfTestWords& words = kinds.words();
  for (const LogicalStringClass& of : words.strand_classes()) {
    if (of.nature != nature) continue;
    for (const TextOperator& op : operators) {
      kinds.add(
          family, op.what, of.what, [&words, nature, what = of.what, make = op.make](const Draft& draft) {
            return for_each_strand(words, what, draft, [&](const LogicalString& strand, Draft& changed) {
              const std::string said = strand.text(draft);
              if (!is_sound(nature, said)) return false;
              const auto text = make(said);
              if (text) strand.say(changed, *text);
              return text.has_value();
            });
          });
    }
  }
}

void add_value_kinds(KindList& kinds, std::string_view family, StringKind nature,
                     std::span<const ValueOperator> operators) {
  const dialect::SelfTestWords& words = kinds.words();
  for (const LogicalStringClass& of : words.strand_classes()) {
    if (of.nature != nature) continue;
    for (const ValueOperator& op : operators) {
      kinds.add(family, op.what, of.what, [&words, what = of.what, value = op.value](const Draft& draft) {
        return for_each_strand(words, what, draft, [&](const LogicalString& strand, Draft& changed) {
          strand.put(changed, value);
          return true;
        });
      });
    }
  }
}

std::string first_half(const std::string& text) {
  std::size_t at = text.size() / 2;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return text.substr(0, at);
}

std::string with_inside(const std::string& text, std::string_view piece) {
  const std::string half = first_half(text);
  return half + std::string(piece) + text.substr(half.size());
}

std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace splitproof::selftest
