#include "harness/report/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/cause/impact.hpp"
#include "harness/report/cause_text.hpp"
#include "harness/report/findings.hpp"
#include "harness/report/growth_text.hpp"
#include "harness/report/picture.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using contract::Verdict;
using results::RecordingResult;
using results::Row;

constexpr std::size_t kShownCauses = 30;     // for each target
constexpr std::size_t kShownRecordings = 5;  // for each finding
constexpr std::size_t kCutsInPicture = 3;    // if there are more, only their number is printed
constexpr std::size_t kWrap = 100;
constexpr std::size_t kHead = 14;  // width of the first column

struct Ink {
  std::string bold, red, green, off;
};

Ink ink(bool colour) { return colour ? Ink{"\033[1m", "\033[31m", "\033[32m", "\033[0m"} : Ink{}; }

std::string indented(const std::string& text, const std::string& by) {
  std::string lines = by;
  for (std::size_t i = 0; i < text.size(); ++i) {
    lines += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) lines += by;
  }
  return lines;
}

// Adds the message of a violation, the bytes that prove it, the cuts, and the command that runs its case again.
void add_evidence(std::string& out, const results::Reproducer& first, const RecordingResult& in,
                  const Heading& heading) {
  out += fmt::format("  {}: {}\n", in.recording.id, visible(first.message));
  if (!first.downstream.empty() && first.of_request)
    out += fmt::format("    request to the upstream: {}\n", visible(first.downstream));
  else if (!first.downstream.empty())
    out += fmt::format("    downstream bytes {}-{}: {}\n", first.place.begin, first.place.end,
                       visible(first.downstream));
  const split::Cuts& cuts = first.upstream.cuts;  // empty if no single case shows the violation
  if (cuts.size() <= kCutsInPicture) {
    for (const std::size_t cut : cuts) out += indented(cut_picture(first.upstream.body, cut), "    ");
  } else {
    out += fmt::format("    upstream cut in {} places\n", cuts.size());
  }
  out += "    " + reproduce_line(first, in.target, heading) + "\n";
}

void add_finding(std::string& out, const Finding& finding, const Heading& heading, const Ink& ink) {
  const Row& row = *finding.shown;
  out += fmt::format("{}{}{}{}  [{}, {}]\n", ink.bold, ink.red, heading.rules.at(row.rule).headline(),
                     ink.off, row.rule, contract::name(row.level));
  out += fmt::format("  {} of {} on {}\n", counted(finding.violating, "case"),
                     counted(finding.rows.size(), "recording"), finding.in->target);
  const std::string line = clients_line(heading.clients, row.rule, cause::finding_for_clients(*row.first));
  if (!line.empty()) out += "  clients: " + line + "\n";
  add_evidence(out, *row.first, *finding.in, heading);
  if (finding.rows.size() > 1) {
    out += "  also:";
    std::size_t shown = 0;
    for (const auto& entry : finding.rows) {
      if (entry.second == &row) continue;
      if (++shown > kShownRecordings) break;
      out += " " + entry.first->recording.id;
    }
    if (finding.rows.size() - 1 > kShownRecordings) {
      out += fmt::format(" and {} more", finding.rows.size() - 1 - kShownRecordings);
    }
    out += "\n";
  }
  out += "\n";
}

std::string wrapped(const std::string& head, const std::vector<std::string>& words) {
  std::string text;
  std::string line = fmt::format("{:<{}}", head, kHead);
  for (const std::string& word : words) {
    if (line.size() + word.size() + 1 > kWrap) {
      text += line + "\n";
      line = std::string(kHead, ' ');
    }
    line += " " + word;
  }
  return text + line + "\n";
}

void add_seams(std::string& out, const split::SeamCoverage& coverage) {
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
  if (cells.empty()) return;
  out += wrapped("cuts/seams", cells);
  if (!absent.empty()) out += wrapped("seams absent", absent);
}

// Adds the obligations that were judged on no recording, in the order of the results. It lists first the
// obligations that were not exercised. Then it lists the others, grouped by the reason why they were not judged.
void add_unseen(std::string& out, const std::vector<RecordingResult>& results) {
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
  if (!not_exercised.empty()) out += wrapped("not exercised", not_exercised);
  for (auto& [reason, ids] : not_judged) {
    ids.push_back("(" + reason + ")");
    out += wrapped("not judged", ids);
  }
}

// Adds the violations that relays pass on from their upstreams, with one line for each obligation and target. It
// counts recuts and faults separately, because the harness made them and not the provider.
void add_passed_on(std::string& out, const std::vector<RecordingResult>& results) {
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
  for (const auto& [key, from] : all) {
    std::string where = from.recorded > 0 ? counted(from.recorded, "recording") : "";
    if (from.altered > 0)
      where += (where.empty() ? "" : ", and ") + counted(from.altered, "recording") +
               (from.of_client ? " in a second turn" : " with a recut or a fault");
    out += fmt::format("{:<{}} {} by {}: the {} violates it in {}, as in {}\n", "passed on", kHead, key.first,
                       key.second, from.of_client ? "client" : "upstream", where, from.shown);
  }
}

// Adds the expected violations in the order of the file, with one line for each expectation, target and
// obligation. Then it adds the stale expectations.
void add_expectations(std::string& out, const std::vector<RecordingResult>& results, const Summary& summary) {
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
    out += fmt::format("{:<{}} {}: {} on {}, {}{}\n", "expected", kHead, place(*row->expectation), row->rule,
                       result->target, where, reason.empty() ? "" : ": " + visible(reason));
  }
  for (const results::StaleExpectation& gone : summary.stale) {
    out += fmt::format("{:<{}} {}: {}; {}\n", "stale", kHead, place(gone.expectation), gone.why,
                       visible(results::line_of(gone.expectation)));
  }
}

void add_unjudged(std::string& out, const std::vector<RecordingResult>& results,
                  const results::Rules& rules) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> unjudged;  // by target and reason
  std::map<std::string, std::pair<std::size_t, std::vector<std::string>>> unrun;     // by target
  for (const RecordingResult& result : results) {
    if (const std::string why = why_nothing_judged(result, rules); !why.empty())
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
}

// Returns a paragraph whose lines after the first are indented.
std::string folded(const std::string& text) {
  constexpr std::string_view kIndent = "    ";
  std::string out;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find(' ', text.find_first_not_of(' ', begin));
    if (end == std::string::npos) end = text.size();
    if (line.size() + end - begin > kWrap) {
      out += line + "\n";
      line = kIndent;
      begin = std::min(text.find_first_not_of(' ', begin), end);
    }
    line += text.substr(begin, end - begin);
    begin = end;
  }
  return out + line + "\n";
}

void add_cause(std::string& out, std::size_t number, const cause::Cause& cause, const Heading& heading,
               const Ink& ink) {
  out += fmt::format("{}{}{}. {}{}  [{}, {}]\n", ink.bold, ink.red, number, cause.rule->headline(), ink.off,
                     cause.rule->id, contract::name(cause.level));
  if (!cause.rule->title.empty()) out += folded("  rule: " + cause.rule->says);
  out += "  " + extent(cause) + "\n";
  if (const std::string when = trigger(cause); !when.empty()) out += "  only when " + when + "\n";
  for (const std::string& line : hurts(cause)) out += "  " + line + "\n";
  if (!cause.rule->why.empty()) out += folded("  why: " + cause.rule->why);
  if (const std::string depends = knobs(cause); !depends.empty())
    out += folded("  depends on the knobs: " + depends);
  if (!cause.below.empty())
    out += fmt::format("  rules with the same cause: {}\n", fmt::join(below(cause), " "));
  if (!cause.perhaps.empty())
    out += fmt::format("  rules that may have other causes: {}\n", fmt::join(perhaps(cause), " "));
  add_evidence(out, cause.shown, *cause.in, heading);
  if (cause.smallest) {
    out += "  smallest: " + extent(*cause.smallest) + "\n" + indented(lines(*cause.smallest), "    ");
    out += "    " + shrink_line(cause, heading) + "\n";
  }
  out += "\n";
}

void add_causes(std::string& out, const std::vector<cause::Cause>& causes, const Heading& heading,
                const Ink& ink) {
  std::map<std::string, std::size_t> counts;  // by target
  std::size_t number = 0;
  for (const cause::Cause& cause : causes) {
    ++number;
    if (++counts[cause.target] <= kShownCauses) add_cause(out, number, cause, heading, ink);
  }
  for (const auto& [target, count] : counts)
    if (count > kShownCauses)
      out += fmt::format("and {} more on {}; --report html:PATH shows all\n",
                         counted(count - kShownCauses, "cause"), target);
}

// Adds the violations that do not change the verdict, with one line for each obligation and target.
void add_advice(std::string& out, const std::vector<RecordingResult>& results, bool strict) {
  for (const Finding& finding : findings_of(results, false)) {
    const Row& row = *finding.shown;
    if (results::decides(row.level, strict)) continue;
    out += fmt::format("{:<{}} {} ({}) on {}: {}, as in {}\n", "advice", kHead, row.rule,
                       contract::name(row.level), finding.in->target,
                       counted(finding.rows.size(), "recording"), row.first->case_id);
  }
}

// Adds the readiness of each target for its tested clients.
void add_readiness(std::string& out, const std::vector<RecordingResult>& results, const Heading& heading,
                   const Summary& summary) {
  for (const ReadyFor& one : readiness_of(results, heading, summary)) {
    const std::string tried = one.client->tried.empty() ? "" : ", tried " + one.client->tried;
    out += fmt::format("{:<{}} {} for {} {}{}: {}\n", "readiness", kHead, one.target, one.client->id,
                       one.client->version, tried, one.verdict);
  }
}

}  // namespace

std::string console_report(const std::vector<RecordingResult>& results, const Heading& heading,
                           const Summary& summary, const ConsoleOptions& options) {
  const Ink colours = ink(options.colour);
  std::string out;
  out += fmt::format("{:<{}} {}\n", "targets", kHead, fmt::join(heading.targets, ", "));
  for (const auto& [target, remark] : heading.notes)
    out += fmt::format("{:<{}} {}: {}\n", "note", kHead, target, visible(remark));
  out += fmt::format("{:<{}} {} from {}\n", "recordings", kHead, summary.recordings,
                     fmt::join(heading.corpora, ", "));
  out += fmt::format(
      "{:<{}} {} ({} split, {} recut, {} with a fault, {} of a further turn), seed {}, profile {}; {} judged{}\n",
      "cases", kHead, summary.cases, summary.cases - summary.recuts - summary.faults - summary.turns,
      summary.recuts, summary.faults, summary.turns, heading.seed, heading.profile,
      counted(summary.outputs, "different output"),
      heading.quick ? "; --quick runs the cases that find most" : "");
  add_seams(out, summary.coverage);
  add_unseen(out, results);
  add_passed_on(out, results);
  add_expectations(out, results, summary);
  std::map<std::string, std::size_t> changed;  // recuts of each recording
  for (const std::string& id : summary.changed_recuts) ++changed[id.substr(0, id.find('?'))];
  for (const auto& [recording, recuts] : changed)
    out += fmt::format("not run, because they change the meaning: {} of {}\n", counted(recuts, "recut"),
                       recording);
  add_unjudged(out, results, heading.rules);
  if (options.all) {
    out += "\n";
    for (const Finding& finding : findings_of(results, false)) add_finding(out, finding, heading, colours);
  } else {
    add_advice(out, results, heading.strict);
    out += "\n";
    add_causes(out, summary.causes, heading, colours);
    add_readiness(out, results, heading, summary);
  }
  if (!options.complete) return out;
  for (const auto& [target, why] : heading.untested)
    out += fmt::format("{:<{}} {}: {}\n", "not tested", kHead, target, visible(why));
  if (!options.all && summary.causes.size() < summary.tally.findings())
    out += fmt::format("{} from {}; --all shows the findings rule by rule\n",
                       counted(summary.tally.findings(), "finding"), counted(summary.causes.size(), "cause"));
  for (const auto& [target, text] : heading.throughput)
    out += fmt::format("{:<{}} {}: {}\n", "throughput", kHead, target, text);
  for (const auto& [target, growth] : heading.growth)
    for (const std::string& line : growth_lines(growth))
      out += folded(fmt::format("{:<{}} {}: {}", "growth", kHead, target, line));
  const std::string line = verdict_line(summary);
  out += colours.bold + (summary.conforms() ? colours.green : colours.red) + line + colours.off + "\n";
  return out;
}

}  // namespace splitproof::report
