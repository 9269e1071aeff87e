#include "harness/report/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using contract::Verdict;
using results::Row;
using results::RunResult;

constexpr std::size_t kExamples = 5;  // recordings named for each rule

// By target, recording and rule.
using RowsByPlace = std::map<std::tuple<std::string, std::string, std::string>, const Row*>;

RowsByPlace rows_of(const RunResult& run) {
  RowsByPlace rows;
  for (const results::RecordingResult& result : run.recordings)
    for (const Row& row : result.rows) rows[{result.target, result.recording.id, row.rule}] = &row;
  return rows;
}

std::string dumped(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Change of one rule at one target: the recordings, each with the more informative row of the two.
struct RuleChange {
  std::string target;
  std::string obligation;
  std::vector<std::pair<std::string, const Row*>> recordings;
};

// Changes by target and rule, in the order of the reports' rows.
class RuleChanges {
 public:
  void add(const std::string& target, const std::string& obligation, const std::string& recording,
           const Row& row) {
    const auto known = std::find_if(all_.begin(), all_.end(), [&](const RuleChange& change) {
      return change.target == target && change.obligation == obligation;
    });
    RuleChange& change = known == all_.end() ? all_.emplace_back(RuleChange{target, obligation, {}}) : *known;
    change.recordings.emplace_back(recording, &row);
    recordings_.insert(target + " " + recording);
  }

  bool empty() const { return all_.empty(); }
  std::size_t rules() const { return all_.size(); }
  std::string counted() const {
    return report::counted(all_.size(), "rule") + " on " + report::counted(recordings_.size(), "recording");
  }

  /// Returns the head, and the recordings of each rule; `tells` describes the first row.
  template <class Tells>
  std::string text(std::string_view head, Tells tells) const {
    if (empty()) return "";
    std::string text = fmt::format("{}: {}\n", head, counted());
    for (const RuleChange& change : all_) {
      const auto& [recording, row] = change.recordings.front();
      text += fmt::format("  {}  {}  {} on {}\n    {}{}\n", change.obligation, contract::name(row->level),
                          report::counted(change.recordings.size(), "recording"), change.target, recording,
                          tells(change.target, *row));
      std::string others;
      for (std::size_t i = 1; i < std::min(kExamples, change.recordings.size()); ++i)
        others += (i > 1 ? ", " : "") + change.recordings[i].first;
      if (change.recordings.size() > kExamples)
        others += fmt::format(" and {} more", change.recordings.size() - kExamples);
      if (!others.empty()) text += fmt::format("    also {}\n", others);
    }
    return text + "\n";
  }

  // Returns a line for each change; `kind` names it.
  std::string json(std::string_view kind, const Heading& heading) const {
    std::string lines;
    for (const RuleChange& change : all_) {
      const Row& row = *change.recordings.front().second;
      nlohmann::ordered_json line = {{"change", kind},
                                     {"target", change.target},
                                     {"obligation", change.obligation},
                                     {"level", contract::name(row.level)},
                                     {"recordings", nlohmann::ordered_json::array()}};
      for (const auto& entry : change.recordings) line["recordings"].push_back(entry.first);
      if (row.first) {
        line["message"] = row.first->message;
        line["reproduce"] = reproduce_line(*row.first, change.target, heading);
      }
      lines += dumped(line);
    }
    return lines;
  }

 private:
  std::vector<RuleChange> all_;
  std::set<std::string> recordings_;
};

std::string of_reason(const std::string& /*target*/, const Row& row) {
  return row.reason.empty() ? "" : ": " + visible_lines(row.reason);
}

std::string of_nothing(const std::string& /*target*/, const Row& /*row*/) { return ""; }

// Returns warnings about differences that the version did not cause.
std::string caveats(const Heading& before, const Heading& after) {
  std::string text;
  const auto differ = [&](std::string_view what, const std::string& one, const std::string& other) {
    if (one != other)
      text += fmt::format("splitproof: warning: the {} differs: {} and {}\n", what, one, other);
  };
  differ("profile", before.profile, after.profile);
  differ("seed", std::to_string(before.seed), std::to_string(after.seed));
  if (before.contracts != after.contracts)
    text += "splitproof: warning: the contracts differ, so some differences may come from the contracts\n";
  for (const auto& [which, report] : {std::pair("old", &before), std::pair("new", &after)}) {
    for (const auto& [target, why] : report->untested)
      text += fmt::format("splitproof: warning: the {} report is of a run that did not test {} to the end\n",
                          which, target);
  }
  return text;
}

}  // namespace

Result<Difference> difference(const RunResult& old_run, const RunResult& new_run, bool strict) {
  const Heading& before = old_run.header;
  const Heading& after = new_run.header;
  const RowsByPlace old_rows = rows_of(old_run);
  const RowsByPlace new_rows = rows_of(new_run);
  const bool renamed =
      before.targets.size() == 1 && after.targets.size() == 1 && before.targets != after.targets;
  RuleChanges broken, mended, unjudged, unchanged;
  std::size_t compared = 0, decisive = 0, more_cases = 0, only_new = 0;
  std::set<std::pair<std::string, std::string>> known;  // targets and recordings of the old report
  for (const auto& entry : old_rows) known.insert({std::get<0>(entry.first), std::get<1>(entry.first)});
  for (const auto& [key, row_at] : new_rows) {
    const Row& row = *row_at;
    const auto& [target, recording, obligation] = key;
    const std::string& former = renamed ? before.targets.front() : target;
    const auto old = old_rows.find({former, recording, obligation});
    const bool is_new = known.count({former, recording}) == 0 ||
                        (old == old_rows.end() && before.contracts != after.contracts);
    if (is_new) {
      ++only_new;
      continue;
    }
    ++compared;
    const auto was = old == old_rows.end() ? std::optional<Verdict>() : old->second->verdict;
    if (row.verdict == Verdict::violated && was == Verdict::violated) {
      unchanged.add(target, obligation, recording, row);
      more_cases += row.violating * old->second->cases > old->second->violating * row.cases ? 1 : 0;
    } else if (row.verdict == Verdict::violated) {
      broken.add(target, obligation, recording, row);
      decisive += results::decides(row, strict || after.strict) ? 1 : 0;
    } else if (was == Verdict::violated && row.verdict == Verdict::met) {
      mended.add(target, obligation, recording, row);
    } else if (was == Verdict::violated || (was == Verdict::met && row.verdict == Verdict::not_judged)) {
      unjudged.add(target, obligation, recording, row);
    }
  }
  std::size_t only_old = 0;
  for (const auto& [key, row] : old_rows) {
    const auto& [target, recording, obligation] = key;
    only_old +=
        new_rows.count({renamed ? after.targets.front() : target, recording, obligation}) == 0 ? 1 : 0;
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
  result.text += broken.text("newly violated", [&](const std::string& target, const Row& row) {
    return fmt::format(": {}\n    {}", visible_lines(row.first->message),
                       visible_lines(reproduce_line(*row.first, target, after)));
  });
  result.text += mended.text("fixed", of_nothing);
  result.text += unjudged.text("no longer judged or exercised", of_reason);
  if (!unchanged.empty()) {
    result.text += fmt::format("violated as before: {}", unchanged.counted());
    if (more_cases > 0)
      result.text += fmt::format(", {} in a larger share of its cases", counted(more_cases, "result"));
    result.text += "\n\n";
  }
  const char* verdict = result.worse ? "WORSE" : mended.empty() ? "SAME" : "BETTER";
  result.text += fmt::format(
      "splitproof: {}  {} newly violated, {} fixed, {} violated as before, {} no longer judged\n", verdict,
      counted(broken.rules(), "rule"), mended.rules(), unchanged.rules(), unjudged.rules());
  result.json = broken.json("newly violated", after) + mended.json("fixed", after) +
                unjudged.json("no longer judged", after) + unchanged.json("violated as before", after) +
                dumped({{"verdict", verdict},
                        {"compared", compared},
                        {"only_in_old", only_old},
                        {"only_in_new", only_new}});
  return result;
}

}  // namespace splitproof::report
