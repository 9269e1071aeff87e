#include "harness/report/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/report/summary.hpp"
#include "harness/strict_json.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using nlohmann::json;

constexpr std::size_t kExamples = 5;  // recordings that are named of each rule

constexpr std::string_view kViolated = "violated";
constexpr std::string_view kMet = "met";
constexpr std::string_view kNotJudged = "not judged";

std::size_t count_at(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number_unsigned() ? value.get<std::size_t>() : 0;
}

void read_header(const json& object, Report& report) {
  for (const auto& [name, digest] : member(object, "contracts").items())
    report.contracts[name] = text_of(digest);
  for (const json& target : member(object, "targets")) report.targets.push_back(text_of(target));
  for (const auto& target : member(object, "untested").items()) report.broken_off.push_back(target.key());
  report.profile = string_at(object, "profile");
  report.seed = member(object, "seed").dump();
  report.strict = member(object, "strict") == true;
}

void read_row(const json& object, Report& report) {
  ReportRow& row = report.rows[{string_at(object, "target"), string_at(object, "recording"),
                                string_at(object, "obligation")}];
  row.level = string_at(object, "level");
  row.verdict = string_at(object, "verdict");
  row.reason = string_at(object, "reason");
  row.message = string_at(object, "message");
  row.reproduce = string_at(object, "reproduce");
  row.cases = count_at(object, "cases");
  row.violating = count_at(object, "violating");
}

// What became of one rule at one target: the recordings, each with its row that tells more.
struct Change {
  std::string target;
  std::string obligation;
  std::vector<std::pair<std::string, const ReportRow*>> recordings;
};

// By target and rule, in the order of the reports' rows.
class Changes {
 public:
  void add(const std::string& target, const std::string& obligation, const std::string& recording,
           const ReportRow& row) {
    const auto known = std::find_if(all_.begin(), all_.end(), [&](const Change& change) {
      return change.target == target && change.obligation == obligation;
    });
    Change& change = known == all_.end() ? all_.emplace_back(Change{target, obligation, {}}) : *known;
    change.recordings.emplace_back(recording, &row);
    recordings_.insert(target + " " + recording);
  }

  bool empty() const { return all_.empty(); }
  std::size_t rules() const { return all_.size(); }
  std::string counted() const {
    return report::counted(all_.size(), "rule") + " on " + report::counted(recordings_.size(), "recording");
  }

  /// The head, and of each rule its recordings; `tells` says what of the first row is told.
  template <class Tells>
  std::string text(std::string_view head, Tells tells) const {
    if (empty()) return "";
    std::string text = fmt::format("{}: {}\n", head, counted());
    for (const Change& change : all_) {
      const auto& [recording, row] = change.recordings.front();
      text += fmt::format("  {}  {}  {} on {}\n    {}{}\n", change.obligation, row->level,
                          report::counted(change.recordings.size(), "recording"), change.target, recording,
                          tells(*row));
      std::string others;
      for (std::size_t i = 1; i < std::min(kExamples, change.recordings.size()); ++i)
        others += (i > 1 ? ", " : "") + change.recordings[i].first;
      if (change.recordings.size() > kExamples)
        others += fmt::format(" and {} more", change.recordings.size() - kExamples);
      if (!others.empty()) text += fmt::format("    also {}\n", others);
    }
    return text + "\n";
  }

 private:
  std::vector<Change> all_;
  std::set<std::string> recordings_;
};

std::string of_violation(const ReportRow& row) {
  return fmt::format(": {}\n    {}", visible_lines(row.message), visible_lines(row.reproduce));
}

std::string of_reason(const ReportRow& row) {
  return row.reason.empty() ? "" : ": " + visible_lines(row.reason);
}

std::string of_nothing(const ReportRow& /*row*/) { return ""; }

// What makes results differ that the version did not change.
std::string caveats(const Report& before, const Report& after) {
  std::string text;
  const auto differ = [&](std::string_view what, const std::string& one, const std::string& other) {
    if (one != other)
      text += fmt::format("splitproof: warning: the {} differs: {} and {}\n", what, one, other);
  };
  differ("profile", before.profile, after.profile);
  differ("seed", before.seed, after.seed);
  if (before.contracts != after.contracts)
    text += "splitproof: warning: the contracts differ, so that some changes may be theirs\n";
  for (const auto& [which, report] : {std::pair("old", &before), std::pair("new", &after)}) {
    for (const std::string& target : report->broken_off)
      text += fmt::format(
          "splitproof: warning: the {} report is of a run in which {} was not tested to the end\n", which,
          target);
  }
  return text;
}

}  // namespace

Result<Report> read_report(const std::string& text, const std::string& path) {
  Report report;
  bool ended = false;
  std::size_t number = 0;
  const auto wrong = [&](std::string what, std::string hint) {
    return tl::unexpected(Error{std::move(what), path, number, std::move(hint)});
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    ++number;
    const auto parsed = parse_strict_json(line);
    const bool is_object = parsed && (*parsed)->is_object();
    if (!is_object || (number == 1) != (*parsed)->contains("splitproof"))
      return wrong("this is no report of splitproof run", "name a file that --report jsonl:PATH wrote");
    const json& object = **parsed;
    if (number == 1) {
      read_header(object, report);
    } else if (object.contains("obligation") && object.contains("recording")) {
      read_row(object, report);
    }
    ended = object.contains("verdict") && object.contains("not_exercised");
  }
  if (number == 0) return wrong("the file is empty", "name a file that --report jsonl:PATH wrote");
  if (!ended) return wrong("the report has no last line: its run was broken off", "let it run to its end");
  return report;
}

Result<Difference> difference(const Report& before, const Report& after, bool strict) {
  const bool renamed =
      before.targets.size() == 1 && after.targets.size() == 1 && before.targets != after.targets;
  Changes broken, mended, unjudged, unchanged;
  std::size_t compared = 0, decisive = 0, more_cases = 0, only_new = 0;
  std::set<std::pair<std::string, std::string>> known;  // targets and recordings of the old report
  for (const auto& entry : before.rows) known.insert({std::get<0>(entry.first), std::get<1>(entry.first)});
  for (const auto& [key, row] : after.rows) {
    const auto& [target, recording, obligation] = key;
    const std::string& former = renamed ? before.targets.front() : target;
    const auto old = before.rows.find({former, recording, obligation});
    const bool is_new = known.count({former, recording}) == 0 ||
                        (old == before.rows.end() && before.contracts != after.contracts);
    if (is_new) {
      ++only_new;
      continue;
    }
    ++compared;
    const std::string_view was = old == before.rows.end() ? std::string_view() : old->second.verdict;
    if (row.verdict == kViolated && was == kViolated) {
      unchanged.add(target, obligation, recording, row);
      more_cases += row.violating * old->second.cases > old->second.violating * row.cases ? 1 : 0;
    } else if (row.verdict == kViolated) {
      broken.add(target, obligation, recording, row);
      decisive += row.level == "must" || ((strict || after.strict) && row.level == "should") ? 1 : 0;
    } else if (was == kViolated && row.verdict == kMet) {
      mended.add(target, obligation, recording, row);
    } else if (was == kViolated || (was == kMet && row.verdict == kNotJudged)) {
      unjudged.add(target, obligation, recording, row);
    }
  }
  std::size_t only_old = 0;
  for (const auto& [key, row] : before.rows) {
    const auto& [target, recording, obligation] = key;
    only_old +=
        after.rows.count({renamed ? after.targets.front() : target, recording, obligation}) == 0 ? 1 : 0;
  }
  if (compared == 0) {
    return tl::unexpected(Error{"the reports have no result in common", "", 0,
                                "compare runs of the same target and the same recordings"});
  }

  Difference result;
  result.worse = decisive > 0;
  result.text = caveats(before, after);
  result.text += fmt::format("compared       {}", counted(compared, "result"));
  if (renamed)
    result.text += fmt::format(" of {} with those of {}", after.targets.front(), before.targets.front());
  result.text += "\n";
  if (only_old + only_new > 0)
    result.text += fmt::format("not compared   {} only in the old report, {} only in the new one\n",
                               counted(only_old, "result"), only_new);
  result.text += "\n";
  result.text += broken.text("newly violated", of_violation);
  result.text += mended.text("mended", of_nothing);
  result.text += unjudged.text("no longer judged or exercised", of_reason);
  if (!unchanged.empty()) {
    result.text += fmt::format("violated as before: {}", unchanged.counted());
    if (more_cases > 0)
      result.text += fmt::format(", {} in a larger share of its cases", counted(more_cases, "result"));
    result.text += "\n\n";
  }
  const bool better = !mended.empty();
  result.text += fmt::format(
      "splitproof: {}  {} newly violated, {} mended, {} violated as before, {} no longer judged\n",
      result.worse ? "WORSE"
      : better     ? "BETTER"
                   : "SAME",
      counted(broken.rules(), "rule"), mended.rules(), unchanged.rules(), unjudged.rules());
  return result;
}

}  // namespace splitproof::report
