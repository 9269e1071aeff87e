#include "harness/report/expectation_text.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/utf8.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using results::Expectation;

constexpr std::size_t kReasonBytes = 120;

std::string shortened(const std::string& message) {
  std::string text = visible(message);
  if (text.size() <= kReasonBytes) return text;
  std::size_t end = kReasonBytes;
  while (end > 0 && continues_character(text[end])) --end;
  return text.substr(0, end) + "...";
}

// Returns messages of a row's violations; true if chance decides.
std::vector<std::pair<std::string, bool>> messages_of(const results::RecordingResult& result,
                                                      const results::Row& row) {
  std::vector<std::pair<std::string, bool>> all{{row.first->message, !row.first->alone}};
  for (const results::Behaviour& behaviour : result.behaviours)
    for (const results::Symptom& symptom : behaviour.symptoms)
      if (symptom.rule == row.rule) all.emplace_back(symptom.message, false);
  return all;
}

// True if the message names the first of several acts that fail. Which one is first can differ in the next run.
bool depends_on_time(const results::Reproducer& first) {
  const auto shown = campaign::parse_case(first.case_id);
  return shown && !shown->act.empty();
}

}  // namespace

std::string expectation_text(const results::ExpectationFile& before,
                             const std::vector<results::RecordingResult>& results, bool strict, bool whole) {
  std::set<std::size_t> dropped;  // lines
  if (whole) {
    for (const results::StaleExpectation& gone : results::stale(before.entries, results)) {
      dropped.insert(gone.expectation.line);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < before.lines.size(); ++i) {
    if (dropped.count(i + 1) == 0) text += before.lines[i] + "\n";
  }
  std::set<std::string> known;
  for (const results::RecordingResult& result : results) {
    for (const results::Row& row : result.rows) {
      if (row.verdict != contract::Verdict::violated || !results::decides(row, strict)) continue;
      for (const auto& one : messages_of(result, row)) {
        const std::string& message = one.first;
        const bool by_chance = one.second;
        const bool expected =
            std::any_of(before.entries.begin(), before.entries.end(), [&](const Expectation& e) {
              return results::fits(e, result.target, result.recording.id, row.rule) &&
                     results::accepts(e, message, by_chance);
            });
        if (expected) continue;
        Expectation entry{results::glob_of(result.target),
                          results::glob_of(result.recording.id),
                          results::glob_of(row.rule),
                          shortened(message),
                          {},
                          0};
        entry.of_target = by_chance;
        if (!by_chance && !depends_on_time(*row.first)) entry.says = results::beginning_of(message);
        Expectation alike = entry;
        alike.reason.clear();
        if (known.insert(results::line_of(alike)).second) text += results::line_of(entry) + "\n";
      }
    }
  }
  return text;
}

}  // namespace splitproof::report
