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

/// `explode: {NAME: /path/*/more/*}`: every element that the path reaches becomes an event of its own, of
/// class NAME.
struct Explosion {
  std::string name;
  std::size_t line = 0;
  std::vector<Pointer> legs;         ///< the path, cut at each `*`
  std::vector<std::size_t> inner;    ///< explosions whose path goes on from this one's, as indices
  std::optional<std::size_t> outer;  ///< the one whose path this one goes on from
};

/// A field that classes ask for.
struct ClassField {
  Field field;
  std::optional<std::size_t> prefix;  ///< the id of the field that its pointer goes on from, by one step
};

/// A class of events: all of its tests on top of its base class.
struct EventClass {
  std::string name;
  std::size_t line = 0;
  std::optional<std::size_t> base;                       ///< a class with a smaller id
  std::optional<std::size_t> explosion;                  ///< of which elements; none: of whole events
  std::size_t depth = 0;                                 ///< how many enclosing elements or events there are
  std::vector<std::pair<std::size_t, ValueTest>> tests;  ///< field id, test
  bool uses_ended = false;                               ///< asks for @ended, itself or by its base
};

/// The classes of one contract file: `any-event`, then the explosions, then `events:`, each after its base. A
/// class's place in that order is its id, so one walk over the ids evaluates them all.
class Alphabet {
 public:
  static constexpr std::size_t kAnyEvent = 0;

  /// From the values of `events` and `explode`, each null when missing. Throws Mistake.
  static Alphabet parse(const YamlNode* events, const YamlNode* explode);

  /// The id of a new class without a name: the events of class `base` that pass all tests. A rule that asks them of
  /// each event has them evaluated with those of the classes, while the event is at hand.
  std::size_t add_passing(std::size_t base, const std::vector<std::pair<Field, ValueTest>>& tests);

  /// The id of a class; throws Mistake at `line` when there is none of that name.
  std::size_t need(std::string_view name, std::size_t line) const;
  std::size_t need(const YamlNode& name) const;

  const EventClass& at(std::size_t id) const { return classes_[id]; }
  std::size_t size() const { return classes_.size(); }
  const std::vector<Explosion>& explosions() const { return explosions_; }

  /// The fields that classes ask for, each once and after its prefix: a step that several share is taken once an event.
  const std::vector<ClassField>& fields() const { return fields_; }

  /// Throws unless `field` makes sense in events of the class: `^` needs something that encloses them.
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
