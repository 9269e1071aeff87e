#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/contract/class_set.hpp"
#include "harness/contract/event_class.hpp"
#include "harness/contract/field_value.hpp"
#include "harness/observe/event_stream.hpp"

namespace splitproof::contract {

/// How a stream ended, as `ended:` and `@ended` say it.
enum class Ended { complete, cut, error };

/// What a rule reads: an event of the trace, or an element that `explode` made of one.
struct RuleSubject {
  std::size_t event = 0;               ///< number in the stream
  const Json* root = nullptr;          ///< its JSON; null where the event has none
  std::vector<const Json*> enclosing;  ///< of an element: what encloses it, the nearest first, the event last
};

/// A stream as one contract file reads it, a window after the other: its events, each followed by its elements (an outer
/// element before its inner ones), and for each the classes it belongs to. Every test of every class is evaluated once,
/// when its window is read; a test whose base class already fails is not. Subjects are numbered through all windows. The
/// stream and the alphabet must outlive it.
class Reading {
 public:
  Reading(const Alphabet& alphabet, observe::EventStream& stream, Ended ended);

  /// Reads the window behind those read so far, which the stream has given.
  void read(const observe::Window& window);

  /// Says how the stream ended, to who asks from now on.
  void set_ended(Ended ended) { ended_ = ended; }

  /// Whether a value was asked for that depends on how the stream ended.
  bool asked_for_end() const { return asked_for_end_; }

  /// The subjects of the window that was read last, which alone `is` and `is_any` may be asked about.
  std::size_t begin() const { return numbers_.back(); }
  std::size_t end() const { return begin() + origin_.size(); }
  bool is(std::size_t i, std::size_t class_id) const {
    return (bits_[(i - begin()) * stride_ + class_id / 64] >> (class_id % 64) & 1) != 0;
  }
  bool is_any(std::size_t i, const ClassSet& classes) const {
    return classes.meets(&bits_[(i - begin()) * stride_]);
  }

  /// Whether the window that was read last has any event of the class, or of any of the classes.
  bool occurs_here(std::size_t class_id) const { return (here_[class_id / 64] >> (class_id % 64) & 1) != 0; }
  bool occurs_here(const ClassSet& classes) const { return classes.meets(here_.data()); }

  /// Whether any window read so far has.
  bool occurs(std::size_t class_id) const { return (occurring_[class_id / 64] >> (class_id % 64) & 1) != 0; }

  /// Of any subject so far. To look back to another window reads that window from the stream again; what was given of
  /// the one before is gone then.
  const RuleSubject& subject(std::size_t i) const;
  const observe::Event& event_of(std::size_t i) const;
  FieldValue value(std::size_t i, const Field& field) const;

  std::size_t first_event() const { return stream_.first_event(); }

 private:
  /// The subjects that were last looked at.
  struct Seen {
    observe::Window window;
    std::size_t first = 0;  ///< number of the first of them
    std::vector<RuleSubject> subjects;
  };

  void look_at(const observe::Window& window, std::size_t first) const;
  void look_back(std::size_t i) const;
  void add_elements(std::size_t explosion, std::size_t first_leg, const RuleSubject& from) const;
  void classify();
  const observe::Event& event(const RuleSubject& subject) const {
    return seen_.window.events[subject.event - seen_.window.first];
  }

  const Alphabet& alphabet_;
  observe::EventStream& stream_;
  Ended ended_;
  std::size_t stride_;  ///< words of bits a subject
  mutable Seen seen_;
  mutable std::vector<std::size_t> origin_;  ///< for each subject seen: 0 an event, else 1 + its explosion
  mutable bool asked_for_end_ = false;
  std::vector<std::size_t> numbers_;  ///< by window: of its first subject
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> here_;       ///< the bits of all subjects of the window together,
  std::vector<std::uint64_t> occurring_;  ///< and of all windows
};

/// The line beside an event that a pseudo-field such as `@stray` speaks of; null where there is none, and for any other
/// pseudo-field.
const observe::OddLine* odd_line(const observe::Event& event, Pseudo pseudo);

/// Whether an event as a whole belongs to a class, in a stream that is complete. Costs the tests of that class alone.
bool belongs(const observe::Event& event, const Alphabet& alphabet, std::size_t class_id);

}  // namespace splitproof::contract
