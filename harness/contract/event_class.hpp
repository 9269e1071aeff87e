#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/contract/pointer.hpp"
#include "harness/contract/value_test.hpp"

namespace splitproof::contract {

/// `explode: {NAME: /path/*/more/*}`: every element that the path reaches becomes an event of class NAME.
struct Explosion {
  std::string name;
  std::size_t line = 0;
  std::vector<Pointer> legs;         ///< the path, cut at each `*`
  std::vector<std::size_t> inner;    ///< indexes of explosions whose path continues this one's
  std::optional<std::size_t> outer;  ///< the explosion whose path this one continues
};

/// A field that classes read.
struct ClassField {
  Field field;
  std::optional<std::size_t> prefix;  ///< id of the field one step before its pointer
};

/// A class of events: its tests in addition to its base class.
struct EventClass {
  std::string name;
  std::size_t line = 0;
  std::optional<std::size_t> base;                       ///< a class with a smaller id
  std::optional<std::size_t> explosion;                  ///< of its elements; nullopt: whole events
  std::size_t depth = 0;                                 ///< number of enclosing elements or events
  std::vector<std::pair<std::size_t, ValueTest>> tests;  ///< field id, test
  bool uses_ended = false;                               ///< it or its base reads @ended
};

/// The classes of one contract file: `any-event`, then the explosions, then `events:`, each after its base. A
/// class's id is its index, so one pass over the ids evaluates all.
class Alphabet {
 public:
  static constexpr std::size_t kAnyEvent = 0;

  /// Parses the values of `events` and `explode`; null if missing. Throws Mistake.
  static Alphabet parse(const YamlNode* events, const YamlNode* explode);

  /// Adds an unnamed class and returns its id: the events of class `base` that pass all tests. So the tests
  /// of a rule are evaluated together with the classes, while the event is available.
  std::size_t add_passing(std::size_t base, const std::vector<std::pair<Field, ValueTest>>& tests);

  /// Returns the id of a class; throws Mistake at `line` if it is unknown.
  std::size_t need(std::string_view name, std::size_t line) const;
  std::size_t need(const YamlNode& name) const;

  const EventClass& at(std::size_t id) const { return classes_[id]; }
  std::size_t size() const { return classes_.size(); }
  const std::vector<Explosion>& explosions() const { return explosions_; }

  /// Returns the fields that classes read, distinct, each after its prefix. A step that several share is
  /// taken once an event.
  const std::vector<ClassField>& fields() const { return fields_; }

  /// Throws unless `field` is valid in events of the class: `^` needs an enclosing value.
  void check_climb(const Field& field, std::size_t id, std::size_t line) const;

 private:
  void read_explosions(const YamlNode& explode);
  void read_classes(const YamlNode& events);
  void define(const YamlNode& events, std::size_t entry);
  void add(EventClass added);
  void add_test(EventClass& to, const Field& field, ValueTest test);
  std::size_t field_id(const Field& field);

  std::vector<EventClass> classes_;
  std::unordered_map<std::string, std::size_t> ids_;
  std::vector<Explosion> explosions_;
  std::vector<ClassField> fields_;
};

}  // namespace splitproof::contract
