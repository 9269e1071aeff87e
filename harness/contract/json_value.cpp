#include "harness/contract/json_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "harness/lower_case.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::contract {
namespace {

constexpr std::array<std::pair<JsonType, std::string_view>, 7> kTypes = {{{JsonType::null, "null"},
                                                                          {JsonType::boolean, "boolean"},
                                                                          {JsonType::integer, "integer"},
                                                                          {JsonType::number, "number"},
                                                                          {JsonType::string, "string"},
                                                                          {JsonType::array, "array"},
                                                                          {JsonType::object, "object"}}};

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr std::size_t kMost = 60;

/// Returns `at`, or the beginning of its character.
std::size_t character_at(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && continues_character(text[at])) --at;
  return at;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kMost) return text;
  return text.substr(0, character_at(text, kMost - 3)) + "...";
}

/// Returns `text` from a little before its byte `from`.
std::string shortened_around(const std::string& text, std::size_t from) {
  constexpr std::size_t kBefore = 20;
  if (text.size() <= kMost || from <= kMost / 2) return shortened(text);
  return shortened("..." + text.substr(character_at(text, from - kBefore)));
}

/// Returns the value as text; shows strings with a JSON object or array as JSON.
std::string readable(const Json& value) {
  const auto text = text_of(value);
  const auto read = text ? parse_strict_json(*text) : tl::unexpected(JsonFault{});
  if (read && (*read)->is_structured()) return readable(**read);
  if (!value.is_structured()) return dump(value);
  std::string shown;
  for (const auto& [key, inner] : value.items()) {
    shown += shown.empty() ? "" : ",";
    if (value.is_object()) shown += dump(Json(key)) + ":";
    shown += readable(inner);
  }
  return (value.is_object() ? "{" : "[") + shown + (value.is_object() ? "}" : "]");
}

/// Difference of two values: a path of keys and indexes, and the values there; null if absent.
class ValueDifference {
 public:
  ValueDifference(const Json& a, const Json& b) : a_(&a), b_(&b) {
    while (a_ != nullptr && b_ != nullptr && (unpack() || descend())) {
    }
  }

  const std::string& path() const { return path_; }
  const Json* a() const { return a_; }
  const Json* b() const { return b_; }

 private:
  /// Parses two strings that contain JSON objects or arrays.
  bool unpack() {
    const auto texts = std::pair(text_of(*a_), text_of(*b_));
    if (!texts.first || !texts.second) return false;
    auto a = parse_strict_json(*texts.first);
    auto b = parse_strict_json(*texts.second);
    if (!a || !b || !(*a)->is_structured() || !(*b)->is_structured()) return false;
    a_ = read_.emplace_back(std::move(*a)).get();
    b_ = read_.emplace_back(std::move(*b)).get();
    return true;
  }

  /// Goes to the first member or element that differs. Arrays of different sizes differ as wholes.
  bool descend() {
    if (a_->is_array() && b_->is_array() && a_->size() == b_->size()) {
      for (std::size_t i = 0; i < a_->size(); ++i)
        if ((*a_)[i] != (*b_)[i]) return go(std::to_string(i), &(*a_)[i], &(*b_)[i]);
    }
    if (!a_->is_object() || !b_->is_object()) return false;
    for (const Json* one : {a_, b_}) {
      for (const auto& [key, value] : one->items()) {
        const auto in_a = a_->find(key);
        const auto in_b = b_->find(key);
        const bool both = in_a != a_->end() && in_b != b_->end();
        if (both && *in_a == *in_b) continue;
        return go(key, in_a == a_->end() ? nullptr : &*in_a, in_b == b_->end() ? nullptr : &*in_b);
      }
    }
    return false;
  }

  bool go(const std::string& step, const Json* a, const Json* b) {
    // Keys of notes are words: "the citations of block 1".
    path_ += (path_.empty()                                                                  ? ""
              : path_.find(' ') != std::string::npos && path_.find('/') == std::string::npos ? ", /"
                                                                                             : "/") +
             step;
    a_ = a;
    b_ = b;
    return true;
  }

  const Json* a_;
  const Json* b_;
  std::string path_;
  std::vector<std::shared_ptr<const Json>> read_;
};

}  // namespace

std::string_view name(JsonType type) { return kTypes[static_cast<std::size_t>(type)].second; }

std::optional<JsonType> json_type(std::string_view name) {
  for (const auto& entry : kTypes) {
    if (entry.second == name) return entry.first;
  }
  return std::nullopt;
}

JsonPtr json_from(const YamlNode& node) {
  auto value = std::make_shared<Json>();
  switch (node.kind) {
    case YamlNode::Kind::null:
      break;
    case YamlNode::Kind::scalar: {
      // A plain scalar cannot begin with a quote or bracket, so JSON here is a number or a literal.
      Json literal = node.quoted ? Json(Json::value_t::discarded) : Json::parse(node.text, nullptr, false);
      if (literal.is_discarded()) literal = node.text;
      *value = std::move(literal);
      break;
    }
    case YamlNode::Kind::list:
      *value = Json::array();
      for (const YamlNode& item : node.items) value->push_back(*json_from(item));
      break;
    case YamlNode::Kind::map:
      *value = Json::object();
      for (std::size_t i = 0; i < node.items.size(); ++i)
        (*value)[node.keys[i].name] = *json_from(node.items[i]);
      break;
  }
  return value;
}

JsonPtr json_string(std::string_view text) { return std::make_shared<const Json>(std::string(text)); }
JsonPtr json_copy(const Json& value) { return std::make_shared<const Json>(value); }

JsonPtr json_number(std::size_t number) { return std::make_shared<const Json>(number); }
const Json* json_null() {
  static const Json null;
  return &null;
}

const Json* member(const Json& value, const std::string& name, std::optional<std::size_t> index) {
  if (const auto* object = value.get_ptr<const Json::object_t*>()) {
    const auto found = object->find(name);
    return found == object->end() ? nullptr : &found->second;
  }
  return value.is_array() && index && *index < value.size() ? &value[*index] : nullptr;
}

const Json* header(const Json& value, std::string_view name) {
  if (!value.is_object()) return nullptr;
  for (auto it = value.begin(); it != value.end(); ++it)
    if (same_but_for_case(it.key(), name)) return &*it;
  return nullptr;
}

std::vector<const Json*> elements(const Json& value) {
  std::vector<const Json*> found;
  if (value.is_array()) {
    for (const Json& element : value) found.push_back(&element);
  }
  return found;
}

bool same(const Json* a, const Json* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return *a == *b;
}

bool has_type(const Json& value, JsonType type) {
  switch (type) {
    case JsonType::null:
      return value.is_null();
    case JsonType::boolean:
      return value.is_boolean();
    case JsonType::integer:
      return value.is_number_integer();
    case JsonType::number:
      return value.is_number();
    case JsonType::string:
      return value.is_string();
    case JsonType::array:
      return value.is_array();
    case JsonType::object:
      return value.is_object();
  }
  return false;
}

std::optional<std::string_view> text_of(const Json& value) {
  const auto* text = value.get_ptr<const Json::string_t*>();
  return text == nullptr ? std::nullopt : std::optional<std::string_view>(*text);
}

bool at_least(std::string_view text, double least) {
  double characters = 0;
  for (std::size_t i = 0; i < text.size() && characters < least; ++i)
    characters += continues_character(text[i]) ? 0 : 1;
  return characters >= least;
}

bool at_least(const Json& value, double least) {
  if (const auto text = text_of(value)) return at_least(*text, least);
  if (value.is_number()) return value.get<double>() >= least;
  return (value.is_array() || value.is_object()) && static_cast<double>(value.size()) >= least;
}

bool less(const Json& a, const Json& b) { return a.is_number() && b.is_number() && a < b; }

std::optional<std::uint64_t> count_of(const Json& value) {
  return value.is_number_unsigned() ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
}

bool is_count(const Json& value, std::uint64_t n) { return value.is_number_integer() && value == n; }

std::string key_text(const Json& value) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    return fmt::format("{}:{}", text.size(), text);
  }
  if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::abs(number) < 9007199254740992.0 && number == std::trunc(number)) {
      return std::to_string(static_cast<long long>(number));
    }
  }
  return dump(value);
}

std::string excerpt(const Json* value) { return value == nullptr ? "absent" : shortened(dump(*value)); }

std::pair<std::string, std::string> excerpts(const Json* a, const Json* b) {
  if (a == nullptr || b == nullptr)
    return {a == nullptr ? excerpt(a) : shortened(readable(*a)),
            b == nullptr ? excerpt(b) : shortened(readable(*b))};
  std::string left = dump(*a);
  std::string right = dump(*b);
  const bool objects = a->is_object() && b->is_object();
  const bool escaped = left.find("\\\"") != std::string::npos || right.find("\\\"") != std::string::npos;
  const bool is_long = left.size() > kMost || right.size() > kMost;
  if (a->is_structured() && b->is_structured() && (is_long || (objects && escaped))) {
    const ValueDifference difference(*a, *b);
    if (!difference.path().empty()) {
      auto [shown, other] = excerpts(difference.a(), difference.b());
      if (difference.a() == nullptr) shown = "nothing";
      if (difference.b() == nullptr) other = "nothing";
      return {shown + " under " + difference.path(), std::move(other)};
    }
  }
  // A string with JSON differs from that JSON.
  if (is_long && escaped && readable(*a) != readable(*b)) {
    left = readable(*a);
    right = readable(*b);
  }
  const auto differ = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  const auto at = static_cast<std::size_t>(differ.first - left.begin());
  return {shortened_around(left, at), shortened_around(right, at)};
}

std::string excerpt(std::string_view text) { return shortened(dump(Json(std::string(text)))); }

bool is_json_object(std::string_view text) {
  const std::string_view object = observe::trim_json(text);
  return !object.empty() && object.front() == '{' && observe::is_one_json_value(object);
}

bool begins_json_object(std::string_view text) {
  const std::string_view object = observe::trim_json(text);
  if (object.empty()) return true;
  observe::JsonProgress progress;
  progress.take(text);
  return object.front() == '{' && progress.possible();
}

}  // namespace splitproof::contract
