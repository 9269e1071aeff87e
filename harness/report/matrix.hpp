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
  std::size_t cases = 0;      ///< of the recordings in which it was judged
  std::size_t violating = 0;  ///< of these, unexpected
  std::size_t expected = 0;   ///< of these
  bool passed_on = false;
  bool met = false;
  bool decides = false;  ///< an unexpected violation does
  bool not_judged = false;

  bool violated() const { return violating + expected > 0; }
};

/// Everything by obligation and target.
struct Matrix {
  std::vector<std::pair<const results::Rule*, contract::Level>>
      obligations;                                            ///< musts first, then in their order
  std::map<std::pair<std::string, std::string>, Cell> cells;  ///< by obligation and target

  const Cell* find(const std::string& obligation, const std::string& target) const;
};

/// The heading has the rules, and must outlive it.
Matrix matrix_of(const std::vector<results::RecordingResult>& results, const Heading& heading);

/// "violated 3/40, expected 1/40", "met", ...; `mark` stands around the word where it makes the run fail. Empty for null.
std::string words(const Cell* cell, const char* mark = "");

}  // namespace splitproof::report
