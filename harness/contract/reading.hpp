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

/// End of a stream, for `ended:` and `@ended`.
enum class Ended { complete, cut, error };

/// The unit that a rule reads: an event of the trace, or an element that `explode` made of one.
struct RuleSubject {
  std::size_t event = 0;               ///< number in the stream
  const Json* root = nullptr;          ///< its JSON, or null
  std::vector<const Json*> enclosing;  ///< element: the values around it, the nearest first, the event last
};

/// A stream for one contract file, window by window. Contains its events, each followed by its elements
/// (outer before inner), with their classes. Every test of every class is evaluated once, when its window is
/// read, unless the base class failed. Subjects are numbered across windows. The stream and the alphabet must
/// outlive it.
class Reading {
 public:
  Reading(const Alphabet& alphabet, observe::EventStream& stream, Ended ended);

  /// Reads the next window of the stream.
  void read(const observe::Window& window);

  /// Sets the end of the stream for later queries.
  void set_ended(Ended ended) { ended_ = ended; }

  /// True if a value was read that depends on the end of the stream.
  bool asked_for_end() const { return asked_for_end_; }

  /// The subjects of the last window; `is` and `is_any` accept only these.
  std::size_t begin() const { return numbers_.back(); }
  std::size_t end() const { return begin() + origin_.size(); }
  bool is(std::size_t i, std::size_t class_id) const {
    return (bits_[(i - begin()) * stride_ + class_id / 64] >> (class_id % 64) & 1) != 0;
  }
  bool is_any(std::size_t i, const ClassSet& classes) const {
    return classes.meets(&bits_[(i - begin()) * stride_]);
  }

  /// True if the last window has an event of the class, or of any of the classes.
  bool occurs_here(std::size_t class_id) const { return (here_[class_id / 64] >> (class_id % 64) & 1) != 0; }
  bool occurs_here(const ClassSet& classes) const { return classes.meets(here_.data()); }

  /// True if any window so far has one.
  bool occurs(std::size_t class_id) const { return (occurring_[class_id / 64] >> (class_id % 64) & 1) != 0; }

  /// Accept any subject so far. A subject of an earlier window reads that window from the stream again and
  /// invalidates references into the previous one.
  const RuleSubject& subject(std::size_t i) const;
  const observe::Event& event_of(std::size_t i) const;
  FieldValue value(std::size_t i, const Field& field) const;

  std::size_t first_event() const { return stream_.first_event(); }

 private:
  /// The subjects of the last accessed window.
  struct Seen {
    observe::Window window;
    std::size_t first = 0;  ///< number of its first subject
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
  mutable std::vector<std::size_t> origin_;  ///< by subject: 0 for an event, otherwise 1 + its explosion
  mutable bool asked_for_end_ = false;
  std::vector<std::size_t> numbers_;  ///< number of each window's first subject
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> here_;       ///< union of all bits in the window
  std::vector<std::uint64_t> occurring_;  ///< union over all windows
};

/// Returns the odd line next to an event for a pseudo-field such as `@stray`, or null.
const observe::OddLine* odd_line(const observe::Event& event, Pseudo pseudo);

/// True if a whole event belongs to a class, in a complete stream. Evaluates only the tests of that class.
bool belongs(const observe::Event& event, const Alphabet& alphabet, std::size_t class_id);

}  // namespace splitproof::contract
