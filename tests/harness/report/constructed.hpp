#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"

namespace splitproof::report {

/// Hand-made results with any text.
class Constructed {
 public:
  /// The next result is for this recording and target.
  Constructed& recording(const std::string& id, const std::string& target = "reference");

  /// Adds a row to the last result. A violated row gets a reproducer.
  Constructed& row(const std::string& id, contract::Verdict verdict,
                   contract::Level level = contract::Level::must,
                   const std::string& message = "it went wrong");

  /// Adds cases that violate only the last row's rule, which makes it a cause. `body` is the downstream body.
  Constructed& behaves(const std::string& case_id, const std::string& body = {});

  /// Returns the last row, for changes.
  results::Row& last() { return results.back().rows.back(); }

  /// Adds a client's reaction to a stream that violates only this obligation.
  Constructed& client(const std::string& name, const std::string& obligation, contract::Reaction reaction);

  Summary summary() const { return summarise(results, heading); }

  std::vector<results::RecordingResult> results;
  Heading heading;
};

}  // namespace splitproof::report
