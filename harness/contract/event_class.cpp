#include "harness/contract/event_class.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace splitproof::contract {
namespace {

void check_name(std::string_view name, std::size_t line) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), allowed)) {
    refuse(line, fmt::format("'{}' cannot name a class", name), "use letters, digits, '-' and '_'");
  }
  if (name == "any" || name == "not" || name == "any-event") {
    refuse(line, fmt::format("'{}' is built in and cannot be defined", name), "choose another name");
  }
}

bool is_star(const Pointer::Step& step) { return step.name == "*"; }

/// Whether the path of `inner` goes on where the path of `outer` ends.
bool goes_on(const Explosion& inner, const Explosion& outer) {
  return inner.legs.size() > outer.legs.size() &&
         std::equal(outer.legs.begin(), outer.legs.end(), inner.legs.begin());
}

}  // namespace

Alphabet Alphabet::parse(const YamlNode* events, const YamlNode* explode) {
  Alphabet alphabet;
  alphabet.classes_.push_back({"any-event", 0, std::nullopt, std::nullopt, 0, {}, false});
  if (explode != nullptr) alphabet.read_explosions(*explode);
  if (events != nullptr) alphabet.read_classes(*events);
  return alphabet;
}

void Alphabet::read_explosions(const YamlNode& explode) {
  if (!explode.is_map()) refuse(explode.line, "explode must be a map from class names to paths");
  for (std::size_t i = 0; i < explode.items.size(); ++i) {
    const YamlNode& path = explode.items[i];
    Explosion explosion;
    explosion.name = explode.keys[i].name;
    explosion.line = explode.keys[i].line;
    check_name(explosion.name, explosion.line);
    std::string leg;
    for (const Pointer::Step& step : Pointer::parse(scalar_text(path, "a path"), path.line).steps()) {
      if (is_star(step)) {
        explosion.legs.push_back(Pointer::parse(leg, path.line));
        leg.clear();
      } else {
        leg += "/";
        for (const char c : step.name) leg += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      }
    }
    if (explosion.legs.empty() || !leg.empty()) {
      refuse(path.line, fmt::format("the path '{}' does not end in '/*'", path.text),
             "'*' stands for each element");
    }
    explosions_.push_back(std::move(explosion));
  }
  for (std::size_t i = 0; i < explosions_.size(); ++i) {
    Explosion& inner = explosions_[i];
    for (std::size_t j = 0; j < explosions_.size(); ++j) {
      const bool longest = !inner.outer || explosions_[j].legs.size() > explosions_[*inner.outer].legs.size();
      if (goes_on(inner, explosions_[j]) && longest) inner.outer = j;
    }
    if (inner.outer) explosions_[*inner.outer].inner.push_back(i);
    classes_.push_back({inner.name, inner.line, std::nullopt, i, inner.legs.size(), {}, false});
  }
}

void Alphabet::read_classes(const YamlNode& events) {
  if (!events.is_map()) refuse(events.line, "events must be a map from class names to tests");
  for (const YamlKey& key : events.keys) {
    check_name(key.name, key.line);
    if (const auto earlier = find(key.name)) {
      refuse(key.line, fmt::format("the class '{}' is defined twice", key.name),
             fmt::format("rename one; the other is on line {}", classes_[*earlier].line));
    }
  }
  std::vector<int> progress(events.keys.size(), 0);
  for (std::size_t i = 0; i < events.keys.size(); ++i) define(events, i, progress);
}

/// Defines one entry of `events`, its base before it. `progress`: 0 untouched, 1 being defined, 2 defined.
/// The chain of bases is followed without recursion, as it can be as long as the file.
std::size_t Alphabet::define(const YamlNode& events, std::size_t entry, std::vector<int>& progress) {
  const auto base_of = [&events](std::size_t i) -> const YamlNode* {
    const YamlNode& tests = events.items[i];
    if (!tests.is_map()) refuse(events.keys[i].line, "a class must be a map from pointers to tests");
    for (std::size_t k = 0; k < tests.keys.size(); ++k) {
      if (tests.keys[k].name == "is") return &tests.items[k];
    }
    return nullptr;
  };

  std::vector<std::size_t> chain = {entry};  // derived first
  if (progress[entry] == 2) return *find(events.keys[entry].name);
  for (;;) {
    progress[chain.back()] = 1;
    const YamlNode* base = base_of(chain.back());
    if (base == nullptr) break;
    const std::string& wanted = scalar_text(*base, "is");
    const auto key = std::find_if(events.keys.begin(), events.keys.end(),
                                  [&wanted](const YamlKey& candidate) { return candidate.name == wanted; });
    if (key == events.keys.end()) break;
    const auto next = static_cast<std::size_t>(key - events.keys.begin());
    if (progress[next] == 1) {
      refuse(base->line, fmt::format("the class '{}' is built on itself", wanted),
             "break the circle of 'is:'");
    }
    if (progress[next] == 2) break;
    chain.push_back(next);
  }

  for (; !chain.empty(); chain.pop_back()) {
    const std::size_t i = chain.back();
    EventClass defined;
    defined.name = events.keys[i].name;
    defined.line = events.keys[i].line;
    if (const YamlNode* base = base_of(i)) {
      defined.base = need(*base);
      defined.explosion = classes_[*defined.base].explosion;
      defined.depth = classes_[*defined.base].depth;
      defined.uses_ended = classes_[*defined.base].uses_ended;
    }
    classes_.push_back(std::move(defined));
    const YamlNode& tests = events.items[i];
    if (tests.items.empty()) refuse(events.keys[i].line, "a class without a test", "any-event is built in");
    for (std::size_t k = 0; k < tests.keys.size(); ++k) {
      if (tests.keys[k].name == "is") continue;
      const Field field = Field::parse(tests.keys[k].name, tests.keys[k].line);
      check_climb(field, classes_.size() - 1, tests.keys[k].line);
      classes_.back().uses_ended = classes_.back().uses_ended || field.pseudo == Pseudo::ended;
      const std::size_t id = field_id(field);
      classes_.back().tests.emplace_back(id, ValueTest::parse(tests.items[k]));
    }
    progress[i] = 2;
  }
  return classes_.size() - 1;
}

std::size_t Alphabet::field_id(const Field& field) {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&field](const Field& known) { return known.text == field.text; });
  if (found != fields_.end()) return static_cast<std::size_t>(found - fields_.begin());
  fields_.push_back(field);
  return fields_.size() - 1;
}

std::optional<std::size_t> Alphabet::find(std::string_view name) const {
  for (std::size_t id = 0; id < classes_.size(); ++id) {
    if (classes_[id].name == name) return id;
  }
  return std::nullopt;
}

std::size_t Alphabet::need(std::string_view name, std::size_t line) const {
  const auto id = find(name);
  if (!id) {
    refuse(line, fmt::format("there is no class '{}'", name),
           "define it under 'events:', or correct the name");
  }
  return *id;
}

std::size_t Alphabet::need(const YamlNode& name) const {
  return need(scalar_text(name, "a class"), name.line);
}

void Alphabet::check_climb(const Field& field, std::size_t id, std::size_t line) const {
  if (field.climb <= classes_[id].depth) return;
  refuse(line, fmt::format("'{}' climbs out of the events of class '{}'", field.text, classes_[id].name),
         "each '^' leads to what encloses an element of an explode");
}

}  // namespace splitproof::contract
