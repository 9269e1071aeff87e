#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/contract/class_set.hpp"
#include "harness/contract/event_class.hpp"
#include "harness/contract/field_value.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::contract {

/// How a stream ended, as `ended:` and `@ended` say it.
enum class Ended { complete, cut, error };

/// What a rule reads: an event of the trace, or an element that `explode` made of one.
struct Subject {
  std::size_t event = 0;               ///< index in the trace
  const Json* root = nullptr;          ///< its JSON; null where the event has none
  std::vector<const Json*> enclosing;  ///< of an element: what encloses it, the nearest first, the event last
};

/// A trace as one contract file reads it: its events, each followed by its elements (an outer element before
/// its inner ones), and for each the classes it belongs to. Every test of every class is evaluated once,
/// here; a test whose base class already fails is not. The trace and the alphabet must outlive it.
class Reading {
 public:
  Reading(const Alphabet& alphabet, const observe::Trace& trace, Ended ended);

  /// Says how the stream ended, which the error classes of this reading and others decide.
  void set_ended(Ended ended);

  std::size_t size() const { return subjects_.size(); }
  const Subject& subject(std::size_t i) const { return subjects_[i]; }
  const observe::Event& event_of(std::size_t i) const { return trace_.events[subjects_[i].event]; }
  bool is(std::size_t i, std::size_t class_id) const {
    return (bits_[i * stride_ + class_id / 64] >> (class_id % 64) & 1) != 0;
  }
  bool is_any(std::size_t i, const ClassSet& classes) const { return classes.meets(&bits_[i * stride_]); }

  /// Whether there is any event of the class, or of any of the classes.
  bool occurs(std::size_t class_id) const { return (occurring_[class_id / 64] >> (class_id % 64) & 1) != 0; }
  bool occurs(const ClassSet& classes) const { return classes.meets(occurring_.data()); }

  FieldValue value(std::size_t i, const Field& field) const;
  const observe::Trace& trace() const { return trace_; }

 private:
  void add_elements(std::size_t explosion, std::size_t first_leg, const Subject& from);
  void classify();

  const Alphabet& alphabet_;
  const observe::Trace& trace_;
  Ended ended_;
  std::size_t stride_;  ///< words of bits a subject
  std::vector<Subject> subjects_;
  std::vector<std::size_t> origin_;  ///< for each subject: 0 an event, else 1 + its explosion
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> occurring_;  ///< the bits of all subjects together
};

/// The line beside an event that a pseudo-field such as `@stray` speaks of; null where there is none, and for any other
/// pseudo-field.
const observe::OddLine* odd_line(const observe::Event& event, Pseudo pseudo);

/// Whether an event as a whole belongs to a class, in a stream that is complete. Costs the tests of that class alone.
bool belongs(const observe::Event& event, const Alphabet& alphabet, std::size_t class_id);

}  // namespace splitproof::contract
