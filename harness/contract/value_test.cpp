#include "harness/contract/value_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace splitproof::contract {
namespace {

std::string name_with_article(JsonType type) {
  if (type == JsonType::null) return "null";
  const bool vowel = type == JsonType::integer || type == JsonType::array || type == JsonType::object;
  return fmt::format("{} {}", vowel ? "an" : "a", name(type));
}

// "at least 1 character": a size with the unit of the type.
std::string size_text(double least, JsonType type) {
  const bool text = type == JsonType::string;
  const bool members = type == JsonType::array || type == JsonType::object;
  if (!text && !members) return fmt::format("at least {}", least);
  return fmt::format("at least {} {}{}", least, text ? "character" : "member", least == 1 ? "" : "s");
}

}  // namespace

ValueTest ValueTest::parse(const YamlNode& node) {
  ValueTest test;
  if (node.is_list()) {
    if (node.items.empty())
      refuse(node.line, "an empty list can never be met", "write {is: []} for the empty array");
    test.kind_ = Kind::any_of;
    for (const YamlNode& item : node.items) test.parts_.push_back(parse(item));
  } else if (node.is_map()) {
    if (node.items.empty()) refuse(node.line, "an empty test", "write {is: {}} for the empty object");
    test.kind_ = Kind::all_of;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      test.parts_.push_back(parse_entry(node.keys[i], node.items[i]));
    }
    if (test.parts_.size() == 1) return ValueTest(test.parts_.front());
  } else {
    test.json_ = json_from(node);
  }
  return test;
}

ValueTest ValueTest::parse_entry(const YamlKey& key, const YamlNode& value) {
  ValueTest test;
  if (key.name == "is") {
    test.json_ = json_from(value);
  } else if (key.name == "not") {
    test.kind_ = Kind::none_of;
    test.parts_.push_back(parse(value));
  } else if (key.name == "absent") {
    test.kind_ = Kind::absent;
    const std::string& text = scalar_text(value, "absent");
    if (value.quoted || (text != "true" && text != "false"))
      refuse(value.line, "absent must be true or false");
    test.absent_ = text == "true";
  } else if (key.name == "matches") {
    test.kind_ = Kind::matches;
    test.regex_ = Regex::compile(scalar_text(value, "matches"), value.line);
  } else if (key.name == "type") {
    test.kind_ = Kind::type;
    // A plain `null` is YAML's null, but also the name of a type.
    const std::string type = value.kind == YamlNode::Kind::null ? "null" : scalar_text(value, "type");
    const auto known = json_type(type);
    if (!known) {
      refuse(value.line, fmt::format("there is no type '{}'", type),
             "use null, boolean, integer, number, string, array or object");
    }
    test.type_ = *known;
  } else if (key.name == "min") {
    test.kind_ = Kind::min;
    const std::string& text = scalar_text(value, "min");
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), test.least_);
    if (value.quoted || error != std::errc() || rest != text.data() + text.size()) {
      refuse(value.line, fmt::format("min must be a number, not '{}'", text));
    }
  } else {
    refuse(key.line, fmt::format("there is no test '{}'", key.name),
           "use is, not, absent, matches, type or min; write {is: {...}} to compare with an object");
  }
  return test;
}

void ValueTest::add_texts(std::vector<std::string>& texts) const {
  if (kind_ == Kind::is) {
    if (const auto text = text_of(*json_)) texts.emplace_back(*text);
  } else if (kind_ == Kind::any_of) {
    for (const ValueTest& part : parts_) part.add_texts(texts);
  }
}

bool ValueTest::holds(const FieldValue& value) const {
  const auto part_holds = [&value](const ValueTest& part) { return part.holds(value); };
  if (kind_ == Kind::any_of) return std::any_of(parts_.begin(), parts_.end(), part_holds);
  if (kind_ == Kind::all_of) return std::all_of(parts_.begin(), parts_.end(), part_holds);
  if (kind_ == Kind::absent) return value.present() != absent_;
  if (!value.present()) return false;
  if (kind_ == Kind::is) return same(FieldValue(json_.get()), value);
  if (kind_ == Kind::none_of) return !parts_.front().holds(value);
  const auto text = value.text();
  if (kind_ == Kind::matches) return text && regex_.matches(*text);
  if (kind_ == Kind::type) return text ? type_ == JsonType::string : has_type(*value.get(), type_);
  return text ? at_least(*text, least_) : at_least(*value.get(), least_);
}

bool ValueTest::asks_for_a_form() const {
  return kind_ == Kind::matches || std::any_of(parts_.begin(), parts_.end(),
                                               [](const ValueTest& part) { return part.asks_for_a_form(); });
}

// Returns the type that all of them require; it determines the unit of sizes.
std::optional<JsonType> ValueTest::type_among(const std::vector<ValueTest>& parts) {
  const auto part =
      std::find_if(parts.begin(), parts.end(), [](const ValueTest& one) { return one.kind_ == Kind::type; });
  return part == parts.end() ? std::nullopt : std::optional(part->type_);
}

std::string ValueTest::describe(const FieldValue& found) const {
  const auto joined = [&](std::string_view separator, std::optional<JsonType> type = std::nullopt) {
    std::string text;
    for (const ValueTest& part : parts_) {
      const bool is_size = part.kind_ == Kind::min && type;
      text += fmt::format("{}{}", text.empty() ? "" : separator,
                          is_size ? size_text(part.least_, *type) : part.describe(found));
    }
    return text;
  };
  switch (kind_) {
    case Kind::is:
      return excerpt(json_.get());
    case Kind::any_of:
      return joined(" or ");
    case Kind::all_of:
      return joined(" and ", type_among(parts_));
    case Kind::none_of:
      return fmt::format("not {}", parts_.front().describe(found));
    case Kind::absent:
      return absent_ ? "absent" : "present";
    case Kind::matches:
      return fmt::format("a string that matches {}", regex_.text());
    case Kind::type:
      return name_with_article(type_);
    case Kind::min:
      if (found.text()) return size_text(least_, JsonType::string);
      if (found.present() && !has_type(*found.get(), JsonType::number))
        return size_text(least_, JsonType::array);
      return size_text(least_, JsonType::number);
  }
  return {};
}

}  // namespace splitproof::contract
