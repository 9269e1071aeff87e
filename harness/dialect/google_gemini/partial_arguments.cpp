#include "harness/dialect/google_gemini/partial_arguments.hpp"

#include <algorithm>
#include <charconv>

#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;

/// Removes a step in brackets from the front of `rest`: `[0]`, `['key']` or `["key"]`.
std::optional<PathStep> take_bracket(std::string_view& rest) {
  rest.remove_prefix(1);
  PathStep step;
  if (rest.starts_with('\'') || rest.starts_with('"')) {
    const char quote = rest.front();
    std::size_t at = 1;
    for (; at < rest.size() && rest[at] != quote; ++at) {
      if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
      step.key += rest[at];
    }
    if (at >= rest.size()) return std::nullopt;
    rest.remove_prefix(at + 1);
  } else {
    std::size_t index = 0;
    const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (fault != std::errc()) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    step.index = index;
  }
  if (!rest.starts_with(']')) return std::nullopt;
  rest.remove_prefix(1);
  return step;
}

}  // namespace

std::optional<std::vector<PathStep>> steps_of(std::string_view path) {
  if (!path.starts_with('$')) return std::nullopt;
  path.remove_prefix(1);
  std::vector<PathStep> steps;
  while (!path.empty()) {
    if (steps.size() == kMaxGeminiPath) return std::nullopt;
    if (path.front() == '[') {
      auto step = take_bracket(path);
      if (!step) return std::nullopt;
      steps.push_back(*std::move(step));
      continue;
    }
    if (path.front() != '.') return std::nullopt;
    path.remove_prefix(1);
    const std::size_t size = std::min(path.find_first_of(".["), path.size());
    if (size == 0) return std::nullopt;
    steps.push_back({std::string(path.substr(0, size)), std::nullopt});
    path.remove_prefix(size);
  }
  return steps;
}

/// Returns the child for a step, which may be new, or null if the value has another type or lacks elements before it.
PartialArguments::Node* PartialArguments::child_of(Node& node, const PathStep& step) {
  const Form form = step.index ? Form::array : Form::object;
  if (node.form == Form::none) node.form = form;
  if (node.form != form) return nullptr;
  if (step.index) {
    if (*step.index > node.children.size()) return nullptr;
    if (*step.index == node.children.size()) node.children.emplace_back(std::string(), Node());
    return &node.children[*step.index].second;
  }
  const auto known = std::find_if(node.children.begin(), node.children.end(),
                                  [&](const auto& child) { return child.first == step.key; });
  if (known != node.children.end()) return &known->second;
  return &node.children.emplace_back(step.key, Node()).second;
}

bool PartialArguments::take(const observe::WireJson& piece) {
  const auto steps = steps_of(piece.at("jsonPath").string());
  if (!steps || steps->empty()) return false;
  if (!has_value(piece)) return true;
  Node* node = &root_;
  for (const PathStep& step : *steps) {
    node = child_of(*node, step);
    if (node == nullptr) return false;
  }
  if (const observe::WireJson& text = piece.at("stringValue"); text.is(Kind::string)) {
    const bool goes_on = node->form == Form::string && node->open;
    if (node->form == Form::object || node->form == Form::array) return false;
    node->text = (goes_on ? node->text : std::string()) + std::string(text.string());
    node->form = Form::string;
    node->open = piece.at("willContinue").raw == "true";
    return true;
  }
  if (!node->children.empty()) return false;
  if (const observe::WireJson& number = piece.at("numberValue"); number.is(Kind::number)) {
    *node = {Form::value, std::string(number.raw), false, {}};
  } else if (const observe::WireJson& boolean = piece.at("boolValue"); boolean.is(Kind::boolean)) {
    *node = {Form::value, std::string(boolean.raw), false, {}};
  } else {
    *node = {Form::value, "null", false, {}};
  }
  return true;
}

bool PartialArguments::has_value(const observe::WireJson& piece) {
  return piece.at("stringValue").is(Kind::string) || piece.at("numberValue").is(Kind::number) ||
         piece.at("boolValue").is(Kind::boolean) || !piece.at("nullValue").absent();
}

/// Appends a value. If `closes` is false, the last value stays without its end.
void PartialArguments::write(const Node& node, bool closes, std::string& out) {
  if (node.form == Form::none) {
    out += closes ? "null" : "";
  } else if (node.form == Form::value) {
    out += node.text;
  } else if (node.form == Form::string) {
    out += observe::json_string(observe::join_surrogates(node.text));
    if (!closes) out.pop_back();
  } else {
    out += node.form == Form::object ? '{' : '[';
    for (const auto& child : node.children) {
      const bool is_last = &child == &node.children.back();
      if (node.form == Form::object) out += observe::json_string(child.first) + ":";
      write(child.second, closes || !is_last, out);
      if (!is_last) out += ',';
    }
    if (closes) out += node.form == Form::object ? '}' : ']';
  }
}

std::string PartialArguments::written() const {
  std::string out;
  write(root_, true, out);
  return out;
}

std::string PartialArguments::begun() const {
  std::string out;
  write(root_, false, out);
  return out;
}

}  // namespace splitproof::dialect
