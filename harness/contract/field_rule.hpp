#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `each: CLASS` with `where: {FIELD: TEST}`: every event of the class passes every test.
class WhereRule {
 public:
  /// Throws Mistake.
  static WhereRule parse(std::size_t class_id, const YamlNode& where, Alphabet& alphabet);

  /// True if a test is a regular expression, which readers of a message cannot understand.
  bool asks_for_a_form() const;

  /// State after a part of a stream.
  struct Progress {
    bool exercised = false;
    std::optional<ClauseResult> violation;
  };
  void take(Progress& progress, const Reading& reading, const Slices& slices) const;
  ClauseResult finish(Progress& progress, const Reading& reading, const Slices& slices) const;

 private:
  std::size_t class_ = 0;
  std::size_t passing_ = 0;                         ///< the class of passing events
  std::vector<std::pair<Field, ValueTest>> tests_;  ///< to name the failed test
};

/// `each: CLASS` with one of these about a field, in the order of the events of a slice:
///
///   numbered        0, 1, 2 ...; an absent field violates it
///   counted         0, 1, 2 ... in order of first occurrence; each may occur again
///   increasing      each number greater than the one before
///   nondecreasing   each number at least the one before
///   constant        always the same value
///   unique          no value twice
///
/// All but `numbered` skip events without the field. A value that is not a number violates increasing and
/// nondecreasing. With a list of fields, each event has the value of its first present field.
class OrderRule {
 public:
  enum class Kind { numbered, counted, increasing, nondecreasing, constant, unique };

  /// Throws Mistake.
  static OrderRule parse(Kind kind, std::size_t class_id, const YamlNode& fields, const Alphabet& alphabet);
  Kind kind() const { return kind_; }

  /// State after a part of a stream.
  struct Progress {
    struct Slice {
      std::uint64_t count = 0;
      std::optional<FieldValue> last;
      std::size_t last_at = 0;
      std::unordered_map<std::string, std::size_t> seen;  ///< values, with their first events
    };
    std::vector<Slice> slices;
    bool exercised = false;
    std::optional<ClauseResult> violation;
  };
  void take(Progress& progress, const Reading& reading, const Slices& slices) const;
  ClauseResult finish(Progress& progress, const Reading& reading, const Slices& slices) const;

 private:
  /// Returns the first field that subject `i` has, or the last one.
  const Field& field_in(const Reading& reading, std::size_t i) const;

  /// Returns the violation by subject `i`, if any.
  std::optional<ClauseResult> step(Progress::Slice& here, const Reading& reading, std::size_t slice,
                                   std::size_t i) const;

  Kind kind_{};
  std::size_t class_ = 0;
  std::vector<Field> fields_;
};

}  // namespace splitproof::contract
