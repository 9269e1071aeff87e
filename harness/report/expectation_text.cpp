#include "harness/report/expectation_text.hpp"

#include <algorithm>
#include <set>

#include "harness/report/picture.hpp"
#include "harness/utf8.hpp"

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
  for (const campaign::RecordingResult& result : results) {
    for (const campaign::Row& row : result.rows) {
      if (row.verdict != contract::Verdict::violated || !campaign::decides(row.level, strict)) continue;
      const bool known = std::any_of(before.entries.begin(), before.entries.end(), [&](const Expectation& e) {
        return campaign::fits(e, result.target, result.recording->id, row.obligation->id);
      });
      if (known) continue;
      const Expectation entry{campaign::glob_of(result.target),
                              row.first->alone ? campaign::glob_of(result.recording->id) : "*",
                              campaign::glob_of(row.obligation->id),
                              shortened(row.first->message),
                              {},
                              0};
      text += campaign::line_of(entry) + "\n";
    }
  }
  return text;
}

}  // namespace splitproof::report
