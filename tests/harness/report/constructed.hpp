#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"

namespace splitproof::report {

/// Results put together by hand, of any text.
class Constructed {
 public:
  /// The next result is for this recording and target.
  Constructed& recording(const std::string& id, const std::string& target = "reference");

  /// Adds a row to the last result. One that is violated gets a reproducer.
  Constructed& row(const std::string& id, contract::Verdict verdict,
                   contract::Level level = contract::Level::must,
                   const std::string& message = "it went wrong");

  /// Cases of the last result violate the rule of its last row alone, which makes it a cause. `body` came downstream.
  Constructed& behaves(const std::string& case_id, const std::string& body = {});

  /// The last row added, to be changed.
  results::Row& last() { return results.back().rows.back(); }

  /// Clients that do this with a stream that violates nothing but the obligation.
  Constructed& client(const std::string& name, const std::string& obligation, contract::Reaction reaction);

  Summary summary() const { return summarise(results, heading); }

  std::vector<results::RecordingResult> results;
  Heading heading;
};

}  // namespace splitproof::report
