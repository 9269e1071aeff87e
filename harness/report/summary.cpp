#include "harness/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/results/merge.hpp"

namespace splitproof::report {

using contract::Verdict;

void Tally::add(const std::string& rule, Verdict verdict, bool decides) {
  verdicts_[rule].insert(verdict);
  if (verdict == Verdict::violated) ++(decides ? findings_ : advice_);
  if (verdict == Verdict::passed_on) ++passed_on_;
}

void Tally::add_expected(const std::string& rule) {
  verdicts_[rule].insert(Verdict::violated);
  ++expected_;
}

std::size_t Tally::judged() const {
  return static_cast<std::size_t>(std::count_if(verdicts_.begin(), verdicts_.end(), [](const auto& entry) {
    const std::set<Verdict>& seen = entry.second;
    return seen.count(Verdict::met) + seen.count(Verdict::violated) + seen.count(Verdict::passed_on) > 0;
  }));
}

std::size_t Tally::not_exercised() const {
  const std::set<Verdict> only{Verdict::not_exercised};
  return static_cast<std::size_t>(std::count_if(verdicts_.begin(), verdicts_.end(),
                                                [&](const auto& entry) { return entry.second == only; }));
}

std::size_t Tally::not_judged() const { return verdicts_.size() - judged() - not_exercised(); }

std::string Tally::text() const {
  std::string text =
      counted(judged(), "obligation") + " judged, " + std::to_string(not_exercised()) + " not exercised, ";
  if (not_judged() > 0) text += std::to_string(not_judged()) + " not judged, ";
  text += counted(findings_, "finding");
  if (expected_ > 0) text += " (" + std::to_string(expected_) + " expected)";
  if (passed_on_ > 0) text += ", " + std::to_string(passed_on_) + " passed on";
  if (advice_ > 0) text += ", " + std::to_string(advice_) + " advisory";
  return text;
}

std::string verdict_word(bool conforms, bool so_far) {
  if (!conforms) return "splitproof: VIOLATES  ";
  return so_far ? "splitproof: CONFORMS SO FAR  " : "splitproof: CONFORMS  ";
}

std::string why_nothing_judged(const results::RecordingResult& result, const results::Rules& rules) {
  if (result.part) return "";  // other parts of the recording may judge
  if (result.cases == 0) return "the target hangs, so splitproof did not run this recording";
  // A target that mostly answered without an upstream call was barely tested.
  if (result.called > 0 && result.called * 2 < result.cases)
    return "the target called its upstream in " + std::to_string(result.called) + " of " +
           counted(result.cases, "case") + " only";
  std::string why;
  bool met = false;
  for (const results::Row& row : result.rows) {
    const results::Rule& rule = rules.at(row.rule);
    if (results::says_something(rule, row.verdict)) return "";
    const bool asks = result.recording.about_request || result.turns == result.cases;
    if (asks && row.verdict == Verdict::met && rule.of_requests) return "";
    met |= row.verdict == Verdict::met;
    if (why.empty() && row.verdict == Verdict::not_judged) why = row.reason;
  }
  if (result.passes_no_stream && met) return "";
  return why.empty() ? "no event that a rule reads occurred" : why;
}

bool nothing_judged(const results::RecordingResult& result, const results::Rules& rules) {
  return !why_nothing_judged(result, rules).empty();
}

namespace {

std::string shards_of(const Heading& heading) {
  if (heading.shards.empty()) return "";
  if (heading.shards.size() == 1 && *heading.shards.begin() != results::kUnfinishedShard)
    return fmt::format("shard {} of {}", *heading.shards.begin(), heading.plan.shards);
  const std::size_t missing = results::missing_shards(heading).size();
  return fmt::format("{} of {} missing", missing, counted(heading.plan.shards, "shard"));
}

}  // namespace

Summary summarise(const std::vector<results::RecordingResult>& results, const Heading& heading) {
  Summary summary;
  summary.shards = shards_of(heading);
  summary.unreadable = heading.unreadable;
  summary.untargeted = heading.untargeted;
  summary.unclaimed = heading.unclaimed;
  summary.unavailable = heading.unavailable;
  summary.quick = heading.quick;
  std::set<std::string> recordings;
  std::set<std::string> undecided;
  for (const results::RecordingResult& result : results) {
    recordings.insert(result.recording.id);
    summary.cases += result.cases;
    summary.recuts += result.recuts;
    summary.faults += result.faults;
    summary.turns += result.turns;
    summary.unrun += result.unrun;
    for (const std::string& recut : result.changed_recuts)
      summary.changed_recuts.push_back(result.recording.id + "?recut=" + recut);
    summary.outputs += result.outputs;
    summary.coverage += result.coverage;
    for (const results::Row& row : result.rows) {
      if (row.expectation) {
        summary.tally.add_expected(row.rule);
      } else {
        summary.tally.add(row.rule, row.verdict, results::decides(row, heading.strict));
      }
    }
    if (!nothing_judged(result, heading.rules)) continue;
    // A list may choose only damaged answers of a recording, which rules leave open. The rest of the list decides.
    const bool is_all_damaged = heading.quick && result.cases > 0 && result.faults == result.cases;
    (is_all_damaged ? undecided : summary.unjudged).insert(result.recording.id);
  }
  if (summary.unjudged.empty() && undecided.size() == recordings.size()) summary.unjudged = undecided;
  summary.recordings = recordings.size();
  summary.causes = cause::causes_of(results, heading.rules, heading.clients, heading.strict);
  return summary;
}

Summary summarise(const results::RunResult& run) {
  Summary summary = summarise(run.recordings, run.header);
  summary.stale = run.stale;
  summary.cut_short = run.cut_short;
  for (const results::CauseNote& note : run.causes) {
    const auto cause =
        std::find_if(summary.causes.begin(), summary.causes.end(), [&](const cause::Cause& one) {
          return one.target == note.target && one.rule->id == note.rule && one.shown.case_id == note.case_id;
        });
    if (cause != summary.causes.end()) {
      cause->accepted_by = note.accepted_by;
      cause->smallest = note.smallest;
      if (note.tries) cause->set_tries(*note.tries);
    } else if (!summary.shards.empty()) {
      summary.notes.push_back(note);
    }
  }
  return summary;
}

bool was_examined(const cause::Cause& cause) { return cause.accepted_by || cause.smallest || cause.tries; }

results::CauseNote note_of(const cause::Cause& cause) {
  return {cause.target, cause.rule->id, cause.accepted_by, cause.smallest, cause.shown.case_id, cause.tries};
}

results::RunResult run_of(std::vector<results::RecordingResult> results, Heading heading,
                          const Summary& summary, bool complete) {
  results::RunResult run{
      std::move(heading), std::move(results), summary.stale, {}, summary.cut_short, complete};
  for (const cause::Cause& cause : summary.causes)
    if (was_examined(cause)) run.causes.push_back(note_of(cause));
  run.causes.insert(run.causes.end(), summary.notes.begin(), summary.notes.end());
  return run;
}

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string verdict_line(const Summary& summary) {
  std::string line = verdict_word(summary.conforms(), summary.is_partial()) +
                     counted(summary.recordings, "recording") + ", " + counted(summary.cases, "case") + ", " +
                     summary.tally.text();
  if (!summary.stale.empty()) line += ", " + counted(summary.stale.size(), "stale expectation");
  if (!summary.unjudged.empty())
    line += ", " + counted(summary.unjudged.size(), "recording") + " without a judged rule";
  if (summary.unrun > 0) line += ", " + counted(summary.unrun, "case") + " not run";
  if (summary.untargeted > 0) line += ", " + counted(summary.untargeted, "recording") + " for no target";
  if (summary.unclaimed > 0) line += ", " + counted(summary.unclaimed, "recording") + " not claimed";
  if (summary.unavailable > 0) line += ", " + counted(summary.unavailable, "target") + " not available";
  if (summary.unwritten > 0) line += ", " + counted(summary.unwritten, "file") + " not written";
  if (summary.unreadable > 0) line += ", " + counted(summary.unreadable, "recording") + " unreadable";
  if (!summary.shards.empty()) line += ", " + summary.shards;
  if (!summary.cut_short) return line;
  if (summary.cut_short->unreached > 0)
    line += ", " + counted(summary.cut_short->unreached, "recording") + " not reached";
  return line + fmt::format(", stopped after {}: {} of about {} tried", summary.cut_short->after,
                            summary.cases, counted(summary.cut_short->planned, "case"));
}

std::string clients_line(const contract::Clients& clients, const std::string& obligation,
                         const std::optional<contract::ClientFinding>& finding) {
  std::map<std::set<contract::Reaction>, std::string> names;  // the worst first
  for (const contract::Clients::Impact& impact : clients.impact(obligation, finding)) {
    std::string& list = names[impact.reactions];
    list += (list.empty() ? "" : ", ") + impact.client;
  }
  std::string line;
  for (const auto& [reactions, list] : names) {
    std::string word;
    for (const contract::Reaction reaction : reactions) {
      if (!word.empty()) word += " or ";
      word += contract::name(reaction);
    }
    line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", word, list);
  }
  return line;
}

std::string shell_quoted(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:,+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

namespace {

std::string target_option(const std::string& target, const Heading& heading) {
  const auto file = heading.files.find(target);
  return " --target " + shell_quoted(file == heading.files.end() ? target : file->second) + heading.options;
}

}  // namespace

std::string reproduce_line(const std::string& case_id, const std::string& target, const Heading& heading) {
  return "splitproof replay " + shell_quoted(case_id) + target_option(target, heading);
}

std::string reproduce_line(const results::Reproducer& first, const std::string& target,
                           const Heading& heading) {
  if (first.alone) return reproduce_line(first.case_id, target, heading);
  return "splitproof run" + target_option(target, heading) + heading.trials;
}

std::string shrink_line(const std::string& case_id, const std::string& obligation, const std::string& target,
                        const Heading& heading) {
  return "splitproof shrink " + shell_quoted(case_id) + target_option(target, heading) + " --rule " +
         shell_quoted(obligation);
}

}  // namespace splitproof::report
