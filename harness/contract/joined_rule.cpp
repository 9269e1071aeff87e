#include "harness/contract/joined_rule.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/observe/surrogates.hpp"

namespace splitproof::contract {

Joined Joined::parse(std::string_view class_name, std::string_view field, std::size_t line,
                     const Alphabet& alphabet) {
  Joined joined;
  joined.class_id = alphabet.need(class_name, line);
  joined.field = Field::parse(field, line);
  alphabet.check_climb(joined.field, joined.class_id, line);
  return joined;
}

void Joined::take(std::vector<Text>& texts, const Reading& reading, const Slices& slices) const {
  if (!reading.occurs_here(class_id)) return;
  texts.resize(slices.count());
  for (std::size_t i = reading.begin(); i < reading.end(); ++i) {
    if (!reading.is(i, class_id)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    Text& here = texts[*slice];
    here.last = i;
    if (!here.begin) here.begin = i;
    const FieldValue fragment = reading.value(i, field);
    if (!fragment.present()) continue;
    const auto text = fragment.text();
    if (text) {
      here.text += *text;
    } else if (!here.no_string) {
      here.no_string = i;
    }
  }
}

void Joined::finish(std::vector<Text>& texts, const Slices& slices) {
  texts.resize(slices.count());
  for (Text& text : texts) text.text = observe::join_surrogates(std::move(text.text));
}

std::string Joined::no_string_detail() const { return fmt::format("{} is not a string", field.text); }

JoinedRule JoinedRule::parse(const YamlNode& joined, const YamlNode* json, const YamlNode* forbidden,
                             const Alphabet& alphabet) {
  if (!joined.is_list() || joined.items.size() != 2) {
    refuse(joined.line, "'joined' must be a class and a field", "write [CLASS, /field]");
  }
  if ((json == nullptr) == (forbidden == nullptr)) {
    refuse(joined.line, "'joined' needs either 'json' or 'forbidden'",
           "write json: object, json: prefix, or forbidden: [RE, ...]");
  }
  JoinedRule rule;
  rule.joined_ = Joined::parse(scalar_text(joined.items[0], "a class"),
                               scalar_text(joined.items[1], "a field"), joined.line, alphabet);
  if (json != nullptr) {
    const std::string& asked = scalar_text(*json, "json");
    if (asked != "object" && asked != "prefix")
      refuse(json->line, fmt::format("'json: {}' is not known", asked),
             "write json: object, or json: prefix");
    rule.asks_ = asked == "object" ? Asks::object : Asks::prefix;
  }
  if (forbidden != nullptr) {
    for (const std::string& text : scalar_texts(*forbidden, "forbidden")) {
      rule.forbidden_.push_back(Regex::compile(text, forbidden->line));
    }
  }
  return rule;
}

ClauseResult JoinedRule::judge(const std::vector<Joined::Text>& texts) const {
  const auto off = [this](const Joined::Text& joined, std::size_t slice, std::string_view is,
                          std::string wanted, std::size_t from = 0) {
    std::string found = excerpt(std::string_view(joined.text).substr(from));
    ClauseResult outcome = ClauseResult::violated(
        joined.last, slice, fmt::format("the joined {} {}: {}", joined_.field.text, is, found));
    outcome.first = joined.begin;
    outcome.found = std::move(found);
    outcome.wanted = std::move(wanted);
    return outcome;
  };
  bool exercised = false;
  for (std::size_t slice = 0; slice < texts.size(); ++slice) {
    const Joined::Text& joined = texts[slice];
    if (!joined.last) continue;
    exercised = true;
    if (joined.no_string) return ClauseResult::violated(joined.no_string, slice, joined_.no_string_detail());
    if (asks_ == Asks::object && !joined.text.empty() && !is_json_object(joined.text))
      return off(joined, slice, "is not one JSON object", "one JSON object");
    if (asks_ == Asks::prefix && !begins_json_object(joined.text))
      return off(joined, slice, "does not begin one JSON object", "one JSON object, or the beginning of one");
    for (const Regex& regex : forbidden_) {
      if (const auto at = regex.find_in(joined.text))
        return off(joined, slice, "has forbidden text", "a text without forbidden text", *at);
    }
  }
  return exercised ? ClauseResult{}
                   : ClauseResult::not_exercised("no event of the class that 'joined' names");
}

}  // namespace splitproof::contract
