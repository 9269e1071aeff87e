#include "harness/report/console_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/report/cause_text.hpp"
#include "harness/report/findings.hpp"
#include "harness/report/text_layout.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using contract::Verdict;
using results::RecordingResult;
using results::Row;

constexpr std::size_t kNoteHead = 14;  // width of the first column

std::string word_list(const std::string& head, const std::vector<std::string>& words) {
  std::string text;
  std::string line = fmt::format("{:<{}}", head, kNoteHead);
  for (const std::string& word : words) {
    if (line.size() + word.size() + 1 > kConsoleWidth) {
      text += line + "\n";
      line = std::string(kNoteHead, ' ');
    }
    line += " " + word;
  }
  return text + line + "\n";
}

}  // namespace

std::string seam_lines(const split::SeamCoverage& coverage) {
  std::vector<std::string> cells;
  std::vector<std::string> absent;
  for (std::size_t i = 0; i < split::kSeamKinds; ++i) {
    const auto kind = static_cast<split::SeamKind>(i);
    const split::SeamCoverage::Count& count = coverage.of(kind);
    if (count.applicable == 0) {
      absent.emplace_back(split::name(kind));
    } else {
      cells.push_back(fmt::format("{}:{}/{}", split::name(kind), count.cut, count.applicable));
    }
  }
  if (cells.empty()) return {};
  std::string out = word_list("cuts/seams", cells);
  if (!absent.empty()) out += word_list("seams absent", absent);
  return out;
}

std::string unseen_rule_lines(const std::vector<RecordingResult>& results) {
  struct Seen {
    bool judged = false;
    std::optional<std::string> reason;  // exercised, but could not be judged
  };
  std::vector<std::string> order;
  std::map<std::string, Seen> seen;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      const auto [known, is_new] = seen.try_emplace(row.rule);
      if (is_new) order.push_back(row.rule);
      known->second.judged |= row.verdict != Verdict::not_exercised && row.verdict != Verdict::not_judged;
      if (row.verdict == Verdict::not_judged && !known->second.reason) known->second.reason = row.reason;
    }
  }
  std::vector<std::string> not_exercised;
  std::vector<std::pair<std::string, std::vector<std::string>>> not_judged;  // reasons, with their ids
  for (const std::string& id : order) {
    const auto& [judged, reason] = seen[id];
    if (judged) continue;
    if (!reason) {
      not_exercised.push_back(id);
      continue;
    }
    auto group = std::find_if(not_judged.begin(), not_judged.end(),
                              [&why = *reason](const auto& one) { return one.first == why; });
    if (group == not_judged.end()) group = not_judged.insert(group, {*reason, {}});
    group->second.push_back(id);
  }
  std::string out;
  if (!not_exercised.empty()) out += word_list("not exercised", not_exercised);
  for (auto& [reason, ids] : not_judged) {
    ids.push_back("(" + reason + ")");
    out += word_list("not judged", ids);
  }
  return out;
}

std::string passed_on_lines(const std::vector<RecordingResult>& results) {
  struct From {
    std::size_t recorded = 0;
    std::size_t altered = 0;
    std::string shown;       // a case
    bool of_client = false;  // a rule about requests
  };
  std::map<std::pair<std::string, std::string>, From> all;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      if (row.verdict != Verdict::passed_on) continue;
      From& from = all[{row.rule, result.target}];
      if (from.shown.empty() || (row.first->only_cut && from.recorded == 0)) from.shown = row.first->case_id;
      ++(row.first->only_cut ? from.recorded : from.altered);
      from.of_client = row.first->of_request;
    }
  }
  std::string out;
  for (const auto& [key, from] : all) {
    std::string where = from.recorded > 0 ? counted(from.recorded, "recording") : "";
    if (from.altered > 0)
      where += (where.empty() ? "" : ", and ") + counted(from.altered, "recording") +
               (from.of_client ? " in a second turn" : " with a recut or a fault");
    out += fmt::format("{:<{}} {} by {}: the {} violates it in {}, as in {}\n", "passed on", kNoteHead,
                       key.first, key.second, from.of_client ? "client" : "upstream", where, from.shown);
  }
  return out;
}

std::string expectation_lines(const std::vector<RecordingResult>& results, const Summary& summary) {
  std::string out;
  const auto place = [](const results::Expectation& e) {
    return fmt::format("{}:{}", visible(e.file), e.line);
  };
  std::map<std::tuple<std::size_t, std::string, std::string>,
           std::vector<std::pair<const RecordingResult*, const Row*>>>
      expected;
  for (const RecordingResult& result : results) {
    for (const Row& row : result.rows) {
      if (row.expectation)
        expected[{row.expectation->line, result.target, row.rule}].emplace_back(&result, &row);
    }
  }
  for (const auto& [key, rows] : expected) {
    const auto& [result, row] = rows.front();
    const std::string where = rows.size() == 1 ? result->recording.id : counted(rows.size(), "recording");
    const std::string& reason = row->expectation->reason;
    out += fmt::format("{:<{}} {}: {} on {}, {}{}\n", "expected", kNoteHead, place(*row->expectation),
                       row->rule, result->target, where, reason.empty() ? "" : ": " + visible(reason));
  }
  for (const results::StaleExpectation& gone : summary.stale) {
    out += fmt::format("{:<{}} {}: {}; {}\n", "stale", kNoteHead, place(gone.expectation), gone.why,
                       visible(results::line_of(gone.expectation)));
  }
  return out;
}

std::string skipped_recut_lines(const Summary& summary) {
  std::string out;
  std::map<std::string, std::size_t> changed;  // recuts of each recording
  for (const std::string& id : summary.changed_recuts) ++changed[id.substr(0, id.find('?'))];
  for (const auto& [recording, recuts] : changed)
    out += fmt::format("not run, because they change the meaning: {} of {}\n", counted(recuts, "recut"),
                       recording);
  return out;
}

std::string unjudged_lines(const std::vector<RecordingResult>& results, const Heading& heading) {
  std::string out;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> unjudged;  // by target and reason
  std::map<std::string, std::pair<std::size_t, std::vector<std::string>>> unrun;     // by target
  for (const RecordingResult& result : results) {
    if (const std::string why = why_nothing_judged(result, heading.rules); !why.empty())
      unjudged[{result.target, why}].push_back(result.recording.id);
    if (result.unrun == 0) continue;
    unrun[result.target].first += result.unrun;
    unrun[result.target].second.push_back(result.recording.id);
  }
  for (const auto& [target, cases] : unrun) {
    out += fmt::format("not run, as {} hangs: {} of {}\n", target, counted(cases.first, "case"),
                       few(cases.second));
  }
  for (const auto& [key, ids] : unjudged)
    out += fmt::format("no rule was judged in {} on {}: {}\n", few(ids), key.first, visible(key.second));
  return out;
}

std::string advice_lines(const std::vector<RecordingResult>& results, bool strict) {
  std::string out;
  for (const Finding& finding : findings_of(results, false)) {
    const Row& row = *finding.shown;
    const bool decides = std::any_of(finding.rows.begin(), finding.rows.end(), [&](const auto& entry) {
      return results::decides(*entry.second, strict);
    });
    if (decides) continue;
    out += fmt::format("{:<{}} {} ({}) on {}: {}, as in {}\n", "advice", kNoteHead, row.rule,
                       contract::name(row.level), finding.in->target,
                       counted(finding.rows.size(), "recording"), row.first->case_id);
  }
  return out;
}

}  // namespace splitproof::report
