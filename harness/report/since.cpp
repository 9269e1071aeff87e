#include "harness/report/since.hpp"

namespace splitproof::report {
namespace {

std::set<std::pair<std::string, std::string>> recordings_in(
    const std::vector<results::RecordingResult>& results) {
  std::set<std::pair<std::string, std::string>> all;
  for (const results::RecordingResult& result : results)
    all.emplace(result.recording.id, result.recording.digest);
  return all;
}

}  // namespace

bool Since::is_new(const cause::Cause& cause) const {
  return !known.contains({cause.target, cause.rule->id});
}

Since since(std::string report, const results::RunResult& before, const results::RunHeading& heading,
            const std::vector<results::RecordingResult>& results) {
  Since all;
  all.report = std::move(report);
  const bool renamed = before.header.targets.size() == 1 && heading.targets.size() == 1;
  for (const results::RecordingResult& result : before.recordings)
    for (const results::Row& row : result.rows)
      if (row.verdict == contract::Verdict::violated)
        all.known.emplace(renamed ? heading.targets.front() : result.target, row.rule);
  std::set<std::pair<std::string, std::string>> met;
  std::set<std::pair<std::string, std::string>> violated;
  for (const results::RecordingResult& result : results)
    for (const results::Row& row : result.rows) {
      if (row.verdict == contract::Verdict::violated) violated.emplace(result.target, row.rule);
      if (row.verdict == contract::Verdict::met) met.emplace(result.target, row.rule);
    }
  for (const auto& one : all.known) all.fixed += met.contains(one) && !violated.contains(one) ? 1 : 0;
  all.same_cases = before.header.trials == heading.trials && before.header.seed == heading.seed &&
                   before.header.profile == heading.profile && before.header.contracts == heading.contracts &&
                   recordings_in(before.recordings) == recordings_in(results);
  return all;
}

}  // namespace splitproof::report
