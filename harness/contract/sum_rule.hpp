#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `each: CLASS` with `sum: {of: [FIELD, ...], ...}`: in every event of the class, the counts of the fields together
///
///   at_most: FIELD   are no more than that field's; one that is not there counts as 0
///   is: FIELD        are that field's; events that lack one are skipped
///
/// With `or_with: FIELD` beside `is`, they may also be that field's after this one is added. Events where the field to
/// compare with is no count, or a field of the sum is there and is none, are skipped.
class SumRule {
 public:
  /// Throws Mistake.
  static SumRule parse(std::size_t class_id, const YamlNode& sum, const Alphabet& alphabet);

  /// What has been read of a stream so far.
  struct Progress {
    bool exercised = false;
    std::optional<ClauseResult> violation;
  };
  void take(Progress& progress, const Reading& reading, const Slices& slices) const;
  ClauseResult finish(Progress& progress, const Reading& reading, const Slices& slices) const;

 private:
  /// The sum in one event; none where the event is skipped.
  std::optional<std::uint64_t> sum_in(const Reading& reading, std::size_t event) const;

  std::size_t class_ = 0;
  std::vector<Field> parts_;
  Field whole_;
  std::optional<Field> or_with_;
  bool exact_ = false;  ///< `is`
};

}  // namespace splitproof::contract
