#include "harness/contract/sum_rule.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

namespace splitproof::contract {
namespace {

Field parse_field(const YamlNode& node, std::size_t class_id, const Alphabet& alphabet) {
  Field field = Field::parse(scalar_text(node, "a field"), node.line);
  alphabet.check_climb(field, class_id, node.line);
  return field;
}

/// Saturates at the largest number.
std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

}  // namespace

SumRule SumRule::parse(std::size_t class_id, const YamlNode& sum, const Alphabet& alphabet) {
  const YamlMap map(sum, "'sum'", {"of", "at_most", "is", "or_with"});
  SumRule rule;
  rule.class_ = class_id;
  const YamlNode& parts = map.need("of");
  if (!parts.is_list() || parts.items.empty())
    refuse(parts.line, "'of' must be a list of fields", "write of: [/field, /field]");
  for (const YamlNode& part : parts.items) rule.parts_.push_back(parse_field(part, class_id, alphabet));
  const YamlNode* exact = map.find("is");
  const YamlNode* most = map.find("at_most");
  if ((exact == nullptr) == (most == nullptr))
    refuse(sum.line, "'sum' needs one of is and at_most", "write {of: [/field, /field], is: /field}");
  rule.exact_ = exact != nullptr;
  rule.whole_ = parse_field(rule.exact_ ? *exact : *most, class_id, alphabet);
  if (const YamlNode* with = map.find("or_with")) {
    if (!rule.exact_) refuse(with->line, "'or_with' cannot be combined with 'at_most'", "use it with 'is'");
    rule.or_with_ = parse_field(*with, class_id, alphabet);
  }
  return rule;
}

std::optional<std::uint64_t> SumRule::sum_in(const Reading& reading, std::size_t event) const {
  std::uint64_t sum = 0;
  bool any = false;
  for (const Field& part : parts_) {
    const FieldValue value = reading.value(event, part);
    const auto count = value.present() ? count_of(*value.get()) : std::nullopt;
    const bool missing = !value.present() || has_type(*value.get(), JsonType::null);
    if (!count && (exact_ || !missing)) return std::nullopt;
    any = any || count;
    sum = add(sum, count.value_or(0));
  }
  return any ? std::optional(sum) : std::nullopt;
}

void SumRule::take(Progress& progress, const Reading& reading, const Slices& slices) const {
  if (progress.violation || !reading.occurs_here(class_)) return;
  for (std::size_t i = reading.begin(); i < reading.end(); ++i) {
    if (!reading.is(i, class_)) continue;
    const auto slice = slices.of(i);
    const auto count_at = [&](const Field& field) {
      const FieldValue value = reading.value(i, field);
      return value.present() ? count_of(*value.get()) : std::nullopt;
    };
    const auto whole = count_at(whole_);
    const auto sum = slice && whole ? sum_in(reading, i) : std::nullopt;
    if (!sum) continue;
    progress.exercised = true;
    const bool with_other = or_with_ && add(*sum, count_at(*or_with_).value_or(0)) == *whole;
    if (exact_ ? *sum == *whole || with_other : *sum <= *whole) continue;
    std::string names;
    for (const Field& part : parts_) names += (names.empty() ? "" : " + ") + part.text;
    const std::string wanted = fmt::format("{}{}", exact_ ? "" : "at most ", *whole);
    ClauseResult outcome = ClauseResult::violated(
        i, slice, fmt::format("{} is {}, wanted {} ({})", names, *sum, wanted, whole_.text));
    outcome.field = std::move(names);
    outcome.found = std::to_string(*sum);
    outcome.wanted = wanted;
    progress.violation = std::move(outcome);
    return;
  }
}

ClauseResult SumRule::finish(Progress& progress, const Reading& /*reading*/, const Slices& /*slices*/) const {
  if (progress.violation) return std::move(*progress.violation);
  return progress.exercised ? ClauseResult{}
                            : ClauseResult::not_exercised("no event of the class has these fields");
}

}  // namespace splitproof::contract
