#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `each: CLASS` with `sum: {of: [FIELD, ...], ...}` adds up counts in every event of the class, and compares
/// the sum:
///
///   at_most: FIELD   the field's count is the sum or more; a missing or null part counts as 0
///   is: FIELD        the field's count is the sum; an event without one of the parts is skipped
///
/// With `or_with: FIELD`, `is` also holds after this count is added to the sum. A count is a whole number of
/// 0 or more. An event is skipped if the field to compare with, or a part that is there, has another value.
class SumRule {
 public:
  /// Throws Mistake.
  static SumRule parse(std::size_t class_id, const YamlNode& sum, const Alphabet& alphabet);

  /// State after a part of a stream.
  struct Progress {
    bool exercised = false;
    std::optional<ClauseResult> violation;
  };
  void take(Progress& progress, const Reading& reading, const Slices& slices) const;
  ClauseResult finish(Progress& progress, const Reading& reading, const Slices& slices) const;

 private:
  /// Returns the sum in one event; nullopt if the event is skipped.
  std::optional<std::uint64_t> sum_in(const Reading& reading, std::size_t event) const;

  std::size_t class_ = 0;
  std::vector<Field> parts_;
  Field whole_;
  std::optional<Field> or_with_;
  bool exact_ = false;  ///< `is`
};

}  // namespace splitproof::contract
