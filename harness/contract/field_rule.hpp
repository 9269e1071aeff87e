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

  /// Whether a test is a regular expression, which says nothing to who reads a message.
  bool asks_for_a_form() const;

  /// What has been read of a stream so far.
  struct Progress {
    bool exercised = false;
    std::optional<ClauseResult> violation;
  };
  void take(Progress& progress, const Reading& reading, const Slices& slices) const;
  ClauseResult finish(Progress& progress, const Reading& reading, const Slices& slices) const;

 private:
  std::size_t class_ = 0;
  std::size_t passing_ = 0;                         ///< the class of those that pass
  std::vector<std::pair<Field, ValueTest>> tests_;  ///< to say which one an event fails
};

/// `each: CLASS` with one of these about a field, in the order of the events of a slice:
///
///   numbered        0, 1, 2 ...; an absent field breaks it
///   counted         0, 1, 2 ... in the order in which they first occur; each may occur again
///   increasing      each number greater than the one before
///   nondecreasing   each number at least the one before
///   constant        always the same value
///   unique          no value twice
///
/// All but `numbered` skip events without the field. What is not a number is neither increasing nor
/// nondecreasing. Of a list of fields, each event has the value of the first that it has.
class OrderRule {
 public:
  enum class Kind { numbered, counted, increasing, nondecreasing, constant, unique };

  /// Throws Mistake.
  static OrderRule parse(Kind kind, std::size_t class_id, const YamlNode& fields, const Alphabet& alphabet);
  Kind kind() const { return kind_; }

  /// What has been read of a stream so far.
  struct Progress {
    struct Slice {
      std::uint64_t count = 0;
      std::optional<FieldValue> last;
      std::size_t last_at = 0;
      std::unordered_map<std::string, std::size_t> seen;  ///< values, and where they stood first
    };
    std::vector<Slice> slices;
    bool exercised = false;
    std::optional<ClauseResult> violation;
  };
  void take(Progress& progress, const Reading& reading, const Slices& slices) const;
  ClauseResult finish(Progress& progress, const Reading& reading, const Slices& slices) const;

 private:
  /// The first field that subject `i` has, or the last one.
  const Field& field_in(const Reading& reading, std::size_t i) const;

  /// What is wrong with subject `i`, if anything is.
  std::optional<ClauseResult> step(Progress::Slice& here, const Reading& reading, std::size_t slice,
                                   std::size_t i) const;

  Kind kind_{};
  std::size_t class_ = 0;
  std::vector<Field> fields_;
};

}  // namespace splitproof::contract
