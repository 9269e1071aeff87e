#include "harness/report/findings.hpp"

#include <map>
#include <string>
#include <tuple>

namespace splitproof::report {

std::vector<Finding> findings_of(const std::vector<results::RecordingResult>& results, bool expected) {
  std::vector<Finding> findings;
  // By target, obligation, and whether a case shows it alone.
  std::map<std::tuple<std::string, std::string, bool>, std::size_t> known_at;
  for (const results::RecordingResult& result : results) {
    for (const results::Row& row : result.rows) {
      if (row.verdict != contract::Verdict::violated || row.expectation.has_value() != expected) continue;
      const auto [known, is_new] =
          known_at.try_emplace(std::tuple(result.target, row.rule, row.first->alone), findings.size());
      if (is_new) findings.emplace_back();
      Finding& finding = findings[known->second];
      finding.rows.emplace_back(&result, &row);
      finding.violating += row.violating;
      if (finding.shown == nullptr || effort(*row.first) < effort(*finding.shown->first)) {
        finding.shown = &row;
        finding.in = &result;
      }
    }
  }
  return findings;
}

}  // namespace splitproof::report
