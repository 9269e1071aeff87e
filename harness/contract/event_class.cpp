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

/// True if the path of `inner` continues the path of `outer`.
bool goes_on(const Explosion& inner, const Explosion& outer) {
  return inner.legs.size() > outer.legs.size() &&
         std::equal(outer.legs.begin(), outer.legs.end(), inner.legs.begin());
}

/// Returns the base class in the tests of a class, or null.
const YamlNode* base_of(const YamlNode& tests) {
  for (std::size_t k = 0; k < tests.keys.size(); ++k) {
    if (tests.keys[k].name == "is") return &tests.items[k];
  }
  return nullptr;
}

void check_climb_out_of(const Field& field, const EventClass& of, std::size_t line) {
  if (field.climb <= of.depth) return;
  refuse(line, fmt::format("'{}' leads outside the events of class '{}'", field.text, of.name),
         "each '^' leads to the parent of an exploded element");
}

}  // namespace

Alphabet Alphabet::parse(const YamlNode* events, const YamlNode* explode) {
  Alphabet alphabet;
  alphabet.add({"any-event", 0, std::nullopt, std::nullopt, 0, {}, false});
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
    const Pointer whole = Pointer::parse(scalar_text(path, "a path"), path.line);
    std::string leg;
    for (const Pointer::Step& step : whole.steps()) {
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
    add({inner.name, inner.line, std::nullopt, i, inner.legs.size(), {}, false});
  }
}

void Alphabet::read_classes(const YamlNode& events) {
  if (!events.is_map()) refuse(events.line, "events must be a map from class names to tests");
  std::unordered_map<std::string_view, std::size_t> entries;
  for (std::size_t i = 0; i < events.keys.size(); ++i) {
    const YamlKey& key = events.keys[i];
    check_name(key.name, key.line);
    if (!events.items[i].is_map() || events.items[i].items.empty()) {
      refuse(key.line, fmt::format("the class '{}' must be a map of at least one test", key.name),
             "write {/pointer: TEST}; any-event is built in");
    }
    if (const auto earlier = ids_.find(key.name); earlier != ids_.end()) {
      refuse(key.line, fmt::format("the class '{}' is defined twice", key.name),
             fmt::format("rename one of them; the first is on line {}", classes_[earlier->second].line));
    }
    entries.emplace(key.name, i);
  }

  // Defines each base before its derived classes. Follows chains without recursion, because a chain can be as
  // long as the file.
  enum class Visit { untouched, begun, done };
  std::vector<Visit> visits(events.keys.size(), Visit::untouched);
  for (std::size_t i = 0; i < events.keys.size(); ++i) {
    std::vector<std::size_t> chain;
    for (std::size_t next = i; visits[next] != Visit::done;) {
      visits[next] = Visit::begun;
      chain.push_back(next);
      const YamlNode* base = base_of(events.items[next]);
      const auto entry = base == nullptr ? entries.end() : entries.find(scalar_text(*base, "is"));
      if (entry == entries.end()) break;
      next = entry->second;
      if (visits[next] == Visit::begun) {
        refuse(base->line, fmt::format("the class '{}' refers to itself", base->text),
               "remove the cycle of 'is:'");
      }
    }
    for (; !chain.empty(); chain.pop_back()) {
      define(events, chain.back());
      visits[chain.back()] = Visit::done;
    }
  }
}

void Alphabet::define(const YamlNode& events, std::size_t entry) {
  const YamlNode& tests = events.items[entry];
  EventClass defined;
  defined.name = events.keys[entry].name;
  defined.line = events.keys[entry].line;
  if (const YamlNode* base = base_of(tests)) {
    defined.base = need(*base);
    defined.explosion = classes_[*defined.base].explosion;
    defined.depth = classes_[*defined.base].depth;
    defined.uses_ended = classes_[*defined.base].uses_ended;
  }
  for (std::size_t k = 0; k < tests.keys.size(); ++k) {
    if (tests.keys[k].name == "is") continue;
    const Field field = Field::parse(tests.keys[k].name, tests.keys[k].line);
    check_climb_out_of(field, defined, tests.keys[k].line);
    add_test(defined, field, ValueTest::parse(tests.items[k]));
  }
  add(std::move(defined));
}

std::size_t Alphabet::add_passing(std::size_t base, const std::vector<std::pair<Field, ValueTest>>& tests) {
  EventClass passing = classes_[base];
  passing.name.clear();
  passing.base = base;
  passing.tests.clear();
  for (const auto& [field, test] : tests) add_test(passing, field, test);
  classes_.push_back(std::move(passing));
  return classes_.size() - 1;
}

void Alphabet::add_test(EventClass& to, const Field& field, ValueTest test) {
  to.uses_ended = to.uses_ended || field.pseudo == Pseudo::ended;
  to.tests.emplace_back(field_id(field), std::move(test));
}

void Alphabet::add(EventClass added) {
  ids_.emplace(added.name, classes_.size());
  classes_.push_back(std::move(added));
}

std::size_t Alphabet::field_id(const Field& field) {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&field](const ClassField& known) {
    return known.field.pseudo == field.pseudo && known.field.climb == field.climb &&
           known.field.pointer == field.pointer;
  });
  if (found != fields_.end()) return static_cast<std::size_t>(found - fields_.begin());
  ClassField added{field, std::nullopt};
  if (!field.pointer.steps().empty())
    added.prefix = field_id({"", std::nullopt, field.climb, field.pointer.parent()});
  fields_.push_back(std::move(added));
  return fields_.size() - 1;
}

std::size_t Alphabet::need(std::string_view name, std::size_t line) const {
  const auto id = ids_.find(std::string(name));
  if (id == ids_.end()) {
    refuse(line, fmt::format("there is no class '{}'", name),
           "define it under 'events:', or correct the name");
  }
  return id->second;
}

std::size_t Alphabet::need(const YamlNode& name) const {
  return need(scalar_text(name, "a class"), name.line);
}

void Alphabet::check_climb(const Field& field, std::size_t id, std::size_t line) const {
  check_climb_out_of(field, classes_[id], line);
}

}  // namespace splitproof::contract
