#include "proxy/dialect/google_gemini/arguments.hpp"

#include <charconv>
#include <optional>
#include <system_error>

#include "proxy/dialect/google_gemini/flag.hpp"
#include "proxy/wire/json_text.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;
using wire::JsonKind;

// One step of a path: a key, or an index.
struct PathStep {
  std::string key;
  std::optional<std::size_t> index;
};

std::optional<std::size_t> index_of(std::string_view digits) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return index;
}

// Reads a key between quotes and its bracket, `key']`. A backslash keeps the character after it.
std::optional<PathStep> quoted_step(std::string_view& path, char quote) {
  std::string key;
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (path[at] == quote) {
      if (at + 1 == path.size() || path[at + 1] != ']') return std::nullopt;
      path.remove_prefix(at + 2);
      return PathStep{std::move(key), {}};
    }
    if (path[at] == '\\' && at + 1 < path.size()) ++at;
    key += path[at];
  }
  return std::nullopt;
}

// Takes the first step off a path: `.key`, `[0]`, `['key']` or `["key"]`.
std::optional<PathStep> take_step(std::string_view& path) {
  const char mark = path.front();
  path.remove_prefix(1);
  if (mark == '.') {
    const std::string_view key = path.substr(0, path.find_first_of(".["));
    path.remove_prefix(key.size());
    return key.empty() ? std::nullopt : std::optional(PathStep{std::string(key), {}});
  }
  if (mark != '[' || path.empty()) return std::nullopt;
  if (const char quote = path.front(); quote == '\'' || quote == '"') {
    path.remove_prefix(1);
    return quoted_step(path, quote);
  }
  const std::size_t end = path.find(']');
  const auto index = end == std::string_view::npos ? std::nullopt : index_of(path.substr(0, end));
  if (!index) return std::nullopt;
  path.remove_prefix(end + 1);
  return PathStep{{}, index};
}

// Returns the JSON of a number, a boolean or null; empty for a string.
std::string scalar_json(const Json& piece) {
  const Json number = piece["numberValue"];
  const Json flag = piece["boolValue"];
  if (number.is(JsonKind::number)) return std::string(number.raw());
  if (flag.is(JsonKind::boolean)) return std::string(flag.raw());
  return piece["nullValue"] ? "null" : "";
}

}  // namespace

bool GeminiArguments::take(const Json& piece) {
  std::size_t place = 0;
  if (!find(piece["jsonPath"].text(), place)) return false;
  Node& node = nodes_[place];
  if (node.kind == Kind::object || node.kind == Kind::array) return false;
  const std::string json = scalar_json(piece);
  const Json string = piece["stringValue"];
  if (!json.empty()) {
    node.kind = Kind::other;
    node.text = json;
  } else if (string.is(JsonKind::string)) {
    if (!node.goes_on) node.text.clear();
    node.kind = Kind::string;
    node.text += string.text();
  } else if (!node.goes_on) {
    return false;
  }
  cost_ += piece.raw().size();
  node.goes_on = node.kind == Kind::string && is_true(piece["willContinue"]);
  return true;
}

// Finds the value at a path, or makes it.
bool GeminiArguments::find(std::string_view path, std::size_t& node) {
  if (path.size() < 2 || path.front() != '$') return false;
  path.remove_prefix(1);
  for (std::size_t levels = 0; !path.empty(); ++levels) {
    if (levels == depth_) return false;
    std::optional<PathStep> step = take_step(path);
    if (!step) return false;
    if (!(step->index ? enter_element(*step->index, node) : enter_member(std::move(step->key), node)))
      return false;
  }
  return true;
}

bool GeminiArguments::enter_member(std::string key, std::size_t& node) {
  if (nodes_[node].kind == Kind::unknown) nodes_[node].kind = Kind::object;
  if (nodes_[node].kind != Kind::object) return false;
  const auto known = by_key_.find({node, key});
  node = known == by_key_.end() ? add(node, std::move(key)) : known->second;
  return true;
}

// Elements come in order.
bool GeminiArguments::enter_element(std::size_t index, std::size_t& node) {
  if (nodes_[node].kind == Kind::unknown) nodes_[node].kind = Kind::array;
  const auto& elements = nodes_[node].members;
  if (nodes_[node].kind != Kind::array || index > elements.size()) return false;
  node = index == elements.size() ? add(node, {}) : elements[index].second;
  return true;
}

std::size_t GeminiArguments::add(std::size_t node, std::string key) {
  const std::size_t added = nodes_.size();
  cost_ += sizeof(Node) + 2 * key.size();
  if (nodes_[node].kind == Kind::object) by_key_.emplace(std::pair(node, key), added);
  nodes_[node].members.emplace_back(std::move(key), added);
  nodes_.emplace_back();
  return added;
}

std::string GeminiArguments::json() const {
  std::string json;
  append(0, json);
  return json;
}

void GeminiArguments::append(std::size_t node, std::string& json) const {
  const Node& value = nodes_[node];
  if (value.kind == Kind::string) return wire::append_quoted(json, wire::whole(value.text));
  if (value.kind == Kind::other) {
    json += value.text;
    return;
  }
  const bool object = value.kind == Kind::object;
  json += object ? '{' : '[';
  for (std::size_t at = 0; at < value.members.size(); ++at) {
    if (at > 0) json += ',';
    if (object) wire::append_quoted(json, wire::whole(value.members[at].first));
    if (object) json += ':';
    append(value.members[at].second, json);
  }
  json += object ? '}' : ']';
}

}  // namespace splitproof::proxy::dialect
