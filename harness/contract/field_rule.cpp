#include "harness/contract/field_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace splitproof::contract {
namespace {

constexpr std::string_view kNoEvent = "no event of the class that 'each' names";

/// Returns a violation by a field's value.
ClauseResult off(std::size_t subject, std::optional<std::size_t> slice, const Field& field,
                 const FieldValue& value, std::string wanted) {
  std::string found = excerpt(value.get());
  const std::string_view name = field.text.empty() ? "the document" : std::string_view(field.text);
  ClauseResult outcome =
      ClauseResult::violated(subject, slice, fmt::format("{} is {}, wanted {}", name, found, wanted));
  outcome.field = name;
  outcome.found = std::move(found);
  outcome.wanted = std::move(wanted);
  return outcome;
}

template <class Progress>
ClauseResult finished(Progress& progress) {
  if (progress.violation) return std::move(*progress.violation);
  return progress.exercised ? ClauseResult{} : ClauseResult::not_exercised(std::string(kNoEvent));
}

}  // namespace

WhereRule WhereRule::parse(std::size_t class_id, const YamlNode& where, Alphabet& alphabet) {
  if (!where.is_map() || where.items.empty()) {
    refuse(where.line, "'where' must be a map from fields to tests", "write {/pointer: TEST}");
  }
  WhereRule rule;
  rule.class_ = class_id;
  for (std::size_t i = 0; i < where.items.size(); ++i) {
    const std::size_t line = where.keys[i].line;
    Field field = Field::parse(where.keys[i].name, line);
    alphabet.check_climb(field, class_id, line);
    rule.tests_.emplace_back(std::move(field), ValueTest::parse(where.items[i]));
  }
  rule.passing_ = alphabet.add_passing(class_id, rule.tests_);
  return rule;
}

void WhereRule::take(Progress& progress, const Reading& reading, const Slices& slices) const {
  if (progress.violation || !reading.occurs_here(class_)) return;
  for (std::size_t i = reading.begin(); i < reading.end(); ++i) {
    if (!reading.is(i, class_)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    progress.exercised = true;
    if (reading.is(i, passing_)) continue;
    for (const auto& [field, test] : tests_) {
      const FieldValue value = reading.value(i, field);
      if (!test.holds(value)) {
        ClauseResult outcome = off(i, slice, field, value, test.describe(value));
        const observe::OddLine* odd = field.pseudo ? odd_line(reading.event_of(i), *field.pseudo) : nullptr;
        if (odd != nullptr) outcome.odd = *odd;
        progress.violation = std::move(outcome);
        return;
      }
    }
  }
}

ClauseResult WhereRule::finish(Progress& progress, const Reading&, const Slices&) const {
  return finished(progress);
}

bool WhereRule::asks_for_a_form() const {
  return std::any_of(tests_.begin(), tests_.end(),
                     [](const auto& test) { return test.second.asks_for_a_form(); });
}

OrderRule OrderRule::parse(Kind kind, std::size_t class_id, const YamlNode& fields,
                           const Alphabet& alphabet) {
  OrderRule rule;
  rule.kind_ = kind;
  rule.class_ = class_id;
  for (const std::string& name : scalar_texts(fields, "a field")) {
    rule.fields_.push_back(Field::parse(name, fields.line));
    alphabet.check_climb(rule.fields_.back(), class_id, fields.line);
  }
  return rule;
}

const Field& OrderRule::field_in(const Reading& reading, std::size_t i) const {
  for (const Field& field : fields_) {
    if (reading.value(i, field).present()) return field;
  }
  return fields_.back();
}

void OrderRule::take(Progress& progress, const Reading& reading, const Slices& slices) const {
  if (progress.violation || !reading.occurs_here(class_)) return;
  for (std::size_t i = reading.begin(); i < reading.end(); ++i) {
    if (!reading.is(i, class_)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    progress.exercised = true;
    if (progress.slices.size() < slices.count()) progress.slices.resize(slices.count());
    progress.violation = step(progress.slices[*slice], reading, *slice, i);
    if (progress.violation) return;
  }
}

std::optional<ClauseResult> OrderRule::step(Progress::Slice& here, const Reading& reading, std::size_t slice,
                                            std::size_t i) const {
  const Field& field = field_in(reading, i);
  const FieldValue value = reading.value(i, field);
  const auto broken = [&](std::string wanted, std::optional<std::size_t> first) {
    ClauseResult outcome = off(i, slice, field, value, std::move(wanted));
    outcome.first = first;
    return outcome;
  };
  if (kind_ == Kind::numbered) {
    if (!value.present() || !is_count(*value.get(), here.count))
      return broken(std::to_string(here.count), std::nullopt);
    ++here.count;
    return std::nullopt;
  }
  if (!value.present()) return std::nullopt;
  if (kind_ == Kind::counted) {
    if (!here.seen.try_emplace(key_text(*value.get()), i).second) return std::nullopt;
    if (!is_count(*value.get(), here.count)) return broken(std::to_string(here.count), std::nullopt);
    ++here.count;
    return std::nullopt;
  }
  if (kind_ == Kind::unique) {
    const auto [known, is_new] = here.seen.try_emplace(key_text(*value.get()), i);
    if (!is_new) return broken("a value that did not occur before", known->second);
    return std::nullopt;
  }
  const Json* last = here.last ? here.last->get() : nullptr;
  if (kind_ == Kind::constant) {
    if (last != nullptr && !same(*here.last, value))
      return broken(excerpt(last) + " as before", here.last_at);
  } else {
    if (!has_type(*value.get(), JsonType::number)) return broken("a number", std::nullopt);
    if (last != nullptr && kind_ == Kind::increasing && !less(*last, *value.get())) {
      return broken("more than " + excerpt(last), here.last_at);
    }
    if (last != nullptr && kind_ == Kind::nondecreasing && less(*value.get(), *last)) {
      return broken("at least " + excerpt(last), here.last_at);
    }
  }
  // A constant needs only the first value.
  if (kind_ != Kind::constant || !here.last) here.last = value.owned();
  here.last_at = i;
  return std::nullopt;
}

ClauseResult OrderRule::finish(Progress& progress, const Reading&, const Slices&) const {
  return finished(progress);
}

}  // namespace splitproof::contract
