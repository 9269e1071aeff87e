#include "harness/report/expectation_text.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/utf8.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using campaign::Expectation;

constexpr std::size_t kReasonBytes = 120;

std::string shortened(const std::string& message) {
  std::string text = visible(message);
  if (text.size() <= kReasonBytes) return text;
  std::size_t end = kReasonBytes;
  while (end > 0 && continues_character(text[end])) --end;
  return text.substr(0, end) + "...";
}

// What violations of a row say, and whether chance decided it.
std::vector<std::pair<std::string, bool>> messages_of(const campaign::RecordingResult& result,
                                                      const campaign::Row& row) {
  std::vector<std::pair<std::string, bool>> all{{row.first->message, !row.first->alone}};
  for (const campaign::Behaviour& behaviour : result.behaviours)
    for (const campaign::Symptom& symptom : behaviour.symptoms)
      if (symptom.obligation == row.obligation) all.emplace_back(symptom.message, false);
  return all;
}

}  // namespace

std::string expectation_text(const campaign::ExpectationFile& before,
                             const std::vector<campaign::RecordingResult>& results, bool strict, bool whole) {
  std::set<std::size_t> dropped;  // lines
  if (whole) {
    for (const campaign::StaleExpectation& gone : campaign::stale(before.entries, results)) {
      dropped.insert(gone.expectation.line);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < before.lines.size(); ++i) {
    if (dropped.count(i + 1) == 0) text += before.lines[i] + "\n";
  }
  std::set<std::string> known;
  for (const campaign::RecordingResult& result : results) {
    for (const campaign::Row& row : result.rows) {
      if (row.verdict != contract::Verdict::violated || !campaign::decides(row.level, strict)) continue;
      for (const auto& one : messages_of(result, row)) {
        const std::string& message = one.first;
        const bool by_chance = one.second;
        const bool expected =
            std::any_of(before.entries.begin(), before.entries.end(), [&](const Expectation& e) {
              return campaign::fits(e, result.target, result.recording->id, row.obligation->id) &&
                     campaign::accepts(e, message, by_chance);
            });
        if (expected) continue;
        Expectation entry{campaign::glob_of(result.target),
                          campaign::glob_of(result.recording->id),
                          campaign::glob_of(row.obligation->id),
                          shortened(message),
                          {},
                          0};
        entry.of_target = by_chance;
        if (!by_chance) entry.says = campaign::beginning_of(message);
        Expectation alike = entry;
        alike.reason.clear();
        if (known.insert(campaign::line_of(alike)).second) text += campaign::line_of(entry) + "\n";
      }
    }
  }
  return text;
}

}  // namespace splitproof::report
