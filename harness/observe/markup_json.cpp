#include "harness/observe/markup_json.hpp"

#include <algorithm>
#include <set>

#include "harness/observe/json_progress.hpp"
#include "harness/observe/markup_words.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::observe {
namespace {

bool begins_container(std::string_view text, std::size_t at) { return text[at] == '{' || text[at] == '['; }

/// Returns the offset after the closing quote of the string at `begin`, or nullopt if the text ends in it.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

/// Returns the offset after the value at `begin`, or nullopt if the text ends, or may end, in it.
std::size_t end_of_value(JsonSpans& spans, std::size_t begin) {
  const std::string_view text = spans.text();
  if (text[begin] == '"') return end_of_string(text, begin);
  if (!begins_container(text, begin)) return text.find_first_of(" \t\r\n,]}", begin);
  const JsonSpan span = spans.at(begin);
  return span.state == JsonSpan::State::whole ? span.end : std::string_view::npos;
}

bool is_among(const std::string& key, const auto& words) {
  return std::find(std::begin(words), std::end(words), key) != std::end(words);
}

/// Returns the arguments in `value`, as an object or as text. Returns nullopt if it has none.
std::optional<std::string> arguments_of(std::string_view value) {
  std::optional<std::string> text = json_text(value);
  if (!text) text = std::string(value);
  return is_object_of_calls(*text) ? text : std::nullopt;
}

/// True if an object describes parameters, as in a list of tools.
bool is_schema(const std::string& object) {
  const auto read = parse_wire_json(object);
  return read && read->at("type").string() == "object" && read->at("properties").is(WireJson::Kind::object);
}

/// Returns the call with these keys and its arguments under one of `argument_keys`.
std::optional<JsonCall> flat_call(const JsonMembers& object, const auto& argument_keys) {
  JsonCall call;
  std::size_t arguments = 0;
  bool named = false;
  for (const JsonMembers::Member& member : object.members) {
    if (member.key == kNameKey) {
      const std::optional<std::string> name = json_text(member.value);
      if (!name) return std::nullopt;
      call.name = *name;
      named = true;
    } else if (is_among(member.key, argument_keys)) {
      std::optional<std::string> text = arguments_of(member.value);
      if (!text || (member.key == kSchemaKey && is_schema(*text))) return std::nullopt;
      call.arguments = *std::move(text);
      ++arguments;
    }
  }
  if (!named || arguments != 1 || object.has_twice) return std::nullopt;
  return call;
}

/// Sorts the keys of an object.
void sort_keys(WireJson& value) {
  for (WireJson& child : value.children) sort_keys(child);
  if (!value.is(WireJson::Kind::object)) return;
  std::stable_sort(value.children.begin(), value.children.end(),
                   [](const WireJson& a, const WireJson& b) { return a.key < b.key; });
}

}  // namespace

JsonSpan JsonSpans::at(std::size_t begin) {
  if (const auto known = known_.find(begin); known != known_.end()) return known->second;
  // JsonProgress knows the grammar. This loop only notes where containers begin and end, and ignores strings.
  JsonProgress progress;
  std::vector<std::size_t> open;
  bool in_string = false;
  bool escaped = false;
  std::size_t at = begin;
  for (; at < text_.size(); ++at) {
    const char c = text_[at];
    progress.take(text_.substr(at, 1));
    if (!progress.possible()) break;
    if (in_string) {
      if (!escaped && c == '"') in_string = false;
      escaped = !escaped && c == '\\';
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') open.push_back(at);
    // Inner containers may still be shallow enough.
    if (open.size() > kMostCallLevels) return known_[begin] = {};
    if (c != '}' && c != ']') continue;
    known_[open.back()] = {JsonSpan::State::whole, at + 1};
    open.pop_back();
    if (open.empty()) return known_[begin];
  }
  // It broke or ended within all open containers.
  const JsonSpan::State state = at < text_.size() ? JsonSpan::State::broken : JsonSpan::State::open;
  for (const std::size_t each : open) known_[each] = {state, 0};
  return {state, 0};
}

JsonMembers members_at(JsonSpans& spans, std::size_t begin) {
  const std::string_view text = spans.text();
  JsonMembers object;
  std::set<std::string> seen;
  for (std::size_t at = begin + 1; at < text.size();) {
    at = text.find_first_not_of(" \t\r\n,", at);
    if (at == std::string_view::npos || text[at] == '}') break;
    const std::size_t behind_key = end_of_string(text, at);
    if (behind_key == std::string_view::npos) break;
    const auto key = parse_wire_json(text.substr(at, behind_key - at));
    object.keys.push_back(key ? key->text : std::string());
    object.has_twice |= !seen.insert(object.keys.back()).second;
    const std::size_t value = text.find_first_not_of(" \t\r\n:", behind_key);
    if (value == std::string_view::npos) break;
    at = end_of_value(spans, value);
    if (at == std::string_view::npos) break;
    object.members.push_back({object.keys.back(), text.substr(value, at - value)});
  }
  return object;
}

std::optional<std::string> json_text(std::string_view value) {
  const auto read = parse_wire_json(value);
  if (!read || !read->is(WireJson::Kind::string) || first_surrogate(read->text)) return std::nullopt;
  return read->text;
}

bool is_object_of_calls(std::string_view text) {
  if (!text.starts_with('{')) return false;
  JsonSpans spans(text);
  return spans.at(0) == JsonSpan{JsonSpan::State::whole, text.size()} && !members_at(spans, 0).has_twice;
}

std::optional<JsonCall> json_call_at(JsonSpans& spans, std::size_t begin) {
  if (spans.at(begin).state != JsonSpan::State::whole) return std::nullopt;
  const JsonMembers object = members_at(spans, begin);
  const auto* wrapped = std::find_if(kWrappingKeys.begin(), kWrappingKeys.end(), [&](const auto& word) {
    return is_among(std::string(word.key), object.keys);
  });
  const auto only = [&](const JsonMembers& of, const auto& words) {
    return std::all_of(of.keys.begin(), of.keys.end(),
                       [&](const std::string& key) { return is_among(key, words); });
  };
  if (object.has_twice) return std::nullopt;
  if (wrapped == kWrappingKeys.end()) {
    return only(object, kCallKeys) ? flat_call(object, kArgumentKeys) : std::nullopt;
  }
  for (const JsonMembers::Member& member : object.members) {
    if (member.key == wrapped->key) continue;
    if (!wrapped->beside_others || !is_among(member.key, kIdleKeys)) return std::nullopt;
  }
  const auto value = std::find_if(object.members.begin(), object.members.end(),
                                  [&](const JsonMembers::Member& one) { return one.key == wrapped->key; });
  if (!value->value.starts_with('{')) return std::nullopt;
  const auto inner_at = static_cast<std::size_t>(value->value.data() - spans.text().data());
  const JsonMembers inner = members_at(spans, inner_at);
  return only(inner, kWrappedKeys) ? flat_call(inner, kWrappedKeys) : std::nullopt;
}

bool may_become_json_call(JsonSpans& spans, std::size_t begin) {
  if (spans.at(begin).state != JsonSpan::State::open) return false;
  const JsonMembers object = members_at(spans, begin);
  return !object.has_twice && std::all_of(object.keys.begin(), object.keys.end(), [](const std::string& key) {
    return is_among(key, kCallKeys) || std::any_of(kWrappingKeys.begin(), kWrappingKeys.end(),
                                                   [&](const auto& word) { return word.key == key; });
  });
}

std::string canonical_arguments(std::string_view arguments) {
  auto value = parse_wire_json(trim_json(arguments).empty() ? "{}" : arguments);
  if (!value) return std::string(arguments);
  sort_keys(*value);
  return compact(*value);
}

}  // namespace splitproof::observe
