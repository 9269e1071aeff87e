#include "harness/report/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/report/summary.hpp"

namespace splitproof::report {

using contract::Verdict;
using results::RecordingResult;
using results::Row;

const Cell* Matrix::find(const std::string& obligation, const std::string& target) const {
  const auto cell = cells.find({obligation, target});
  return cell == cells.end() ? nullptr : &cell->second;
}

Matrix matrix_of(const std::vector<RecordingResult>& results, const Heading& heading) {
  Matrix matrix;
  std::set<std::string> known;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      if (known.insert(row.rule).second)
        matrix.obligations.emplace_back(&heading.rules.at(row.rule), row.level);
      Cell& cell = matrix.cells[{row.rule, result.target}];
      const bool violated = row.verdict == Verdict::violated;
      if (violated || row.verdict == Verdict::met) cell.cases += row.cases;
      if (violated) (row.expectation ? cell.expected : cell.violating) += row.violating;
      cell.passed_on |= row.verdict == Verdict::passed_on;
      cell.met |= row.verdict == Verdict::met;
      cell.decides |= violated && !row.expectation && results::decides(row, heading.strict);
      cell.not_judged |= row.verdict == Verdict::not_judged;
    }
  }
  std::stable_sort(matrix.obligations.begin(), matrix.obligations.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  return matrix;
}

std::string words(const Cell* cell, const char* mark) {
  if (cell == nullptr) return "";
  if (cell->violated()) {
    std::string all;
    if (cell->violating > 0) {
      all = fmt::format("{0}violated{0} {1}/{2}", cell->decides ? mark : "", cell->violating, cell->cases);
    }
    if (cell->expected > 0)
      all += fmt::format("{}expected {}/{}", all.empty() ? "" : ", ", cell->expected, cell->cases);
    return all;
  }
  return cell->passed_on    ? "passed on"
         : cell->met        ? "met"
         : cell->not_judged ? "not judged"
                            : "not exercised";
}

}  // namespace splitproof::report
