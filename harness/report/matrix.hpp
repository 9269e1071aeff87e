#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/run.hpp"

namespace splitproof::report {

using Heading = results::RunHeading;

/// One obligation with one target, over all recordings.
struct Cell {
  std::size_t cases = 0;      ///< in the recordings that were judged
  std::size_t violating = 0;  ///< cases, unexpected
  std::size_t expected = 0;   ///< cases, expected
  bool passed_on = false;
  bool met = false;
  bool decides = false;  ///< an unexpected violation decides
  bool not_judged = false;

  bool violated() const { return violating + expected > 0; }
};

/// All cells by obligation and target.
struct Matrix {
  /// Musts first, then in their order.
  std::vector<std::pair<const results::Rule*, contract::Level>> obligations;
  std::map<std::pair<std::string, std::string>, Cell> cells;  ///< by obligation and target

  const Cell* find(const std::string& obligation, const std::string& target) const;
};

/// The heading contains the rules and must outlive it.
Matrix matrix_of(const std::vector<results::RecordingResult>& results, const Heading& heading);

/// Returns "violated 3/40, expected 1/40", "met", ...; puts `mark` around the word if it fails the run.
/// Returns "" for null.
std::string words(const Cell* cell, const char* mark = "");

}  // namespace splitproof::report
