#include "harness/report/scorecard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/report/findings.hpp"
#include "harness/report/fix_first.hpp"
#include "harness/report/growth_text.hpp"
#include "harness/report/headline.hpp"
#include "harness/report/markdown.hpp"
#include "harness/report/matrix.hpp"
#include "harness/report/picture.hpp"
#include "harness/report/run_context.hpp"

namespace splitproof::report {
namespace {

using contract::Level;
using markdown::code;
using markdown::code_cell;
using markdown::text;
using results::RecordingResult;
using results::Rule;

constexpr std::size_t kCutsInCell = 3;            // more are not drawn
constexpr std::size_t kMostOfCauses = 4'000'000;  // bytes
constexpr std::size_t kPictureWidth = 48;         // bytes on each side of a cut

// Adds the results of one target, and the extent of its run.
void add_target(std::string& out, const std::vector<RecordingResult>& results, const Matrix& table,
                const std::string& target, const Heading& heading, bool whole) {
  std::size_t recordings = 0;
  std::size_t unjudged = 0;
  std::size_t cases = 0;
  for (const RecordingResult& result : results) {
    if (result.target != target) continue;
    ++recordings;
    unjudged += nothing_judged(result, heading.rules) ? 1 : 0;
    cases += result.cases;
  }
  std::size_t met = 0, violated = 0, of_requests = 0, advice = 0, expected = 0, passed_on = 0,
              not_exercised = 0, not_judged = 0;
  for (const auto& entry : table.obligations) {
    const Cell* cell = table.find(entry.first->id, target);
    if (cell == nullptr) continue;
    std::size_t& count = cell->decides         ? violated
                         : cell->violating > 0 ? advice
                         : cell->expected > 0  ? expected
                         : cell->passed_on     ? passed_on
                         : cell->met           ? met
                         : cell->not_judged    ? not_judged
                                               : not_exercised;
    ++count;
    of_requests += &count == &violated && entry.first->of_requests ? 1 : 0;
  }
  const char* verdict = !whole                     ? "**not tested**"
                        : recordings == 0          ? "not run"
                        : violated + unjudged == 0 ? "conforms"
                                                   : "**violates**";
  out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                     code_cell(target), verdict, recordings, unjudged, cases, met, violated, of_requests,
                     expected, passed_on, advice, not_exercised, not_judged);
}

void add_table(std::string& out, const Matrix& table, const std::vector<std::string>& targets) {
  std::string head = "| obligation | level |";
  std::string rule = "|---|---|";
  for (const std::string& target : targets) {
    head += " " + code_cell(target) + " |";
    rule += "---|";
  }
  out += head + "\n" + rule + "\n";
  for (const auto& [obligation, level] : table.obligations) {
    bool violated = false;
    std::string row;
    for (const std::string& target : targets) {
      const Cell* cell = table.find(obligation->id, target);
      violated |= cell != nullptr && cell->violated();
      row += fmt::format(" {} |", words(cell, "**"));
    }
    std::string id = text(obligation->id);
    if (violated) id = "[" + id + "](#" + markdown::fragment(obligation->id) + ")";
    out += fmt::format("| {} | {} |{}\n", id, contract::name(level), row);
  }
}

void add_clients(std::string& out, const contract::Clients& clients, const std::string& obligation) {
  const auto streams = clients.about(obligation);
  if (streams.empty()) return;
  out += "\n| client | stream | what the client does |\n|---|---|---|\n";
  for (const contract::ClientStream* stream : streams) {
    for (const contract::ClientReaction& one : stream->does) {
      const contract::ClientProgram& client = *clients.find(one.client);
      out += fmt::format("| {} {} | {} | {}: {} |\n", code_cell(client.id), text(client.version),
                         text(stream->says), contract::name(one.reaction), text(one.says));
    }
  }
}

void add_upstream(std::string& out, const results::Reproducer& first) {
  const split::Cuts& cuts = first.upstream.cuts;
  if (!first.only_cut)
    out += "\nThe upstream's answer differs from the recording: splitproof recut or damaged it.\n";
  if (cuts.empty()) {
    out += "\nThe upstream's answer arrives in one chunk.\n";
  } else if (cuts.size() > kCutsInCell) {
    out += fmt::format("\nThe upstream's answer is cut in {} places.\n", cuts.size());
  } else {
    std::string pictures;
    for (const std::size_t cut : cuts) pictures += cut_picture(first.upstream.body, cut, kPictureWidth);
    out += "\nThe upstream's answer, around the cut:\n\n" + markdown::lines_block(pictures);
  }
}

void add_finding(std::string& out, const Finding& finding, const Heading& heading) {
  const results::Reproducer& first = *finding.shown->first;
  out += fmt::format("\n#### {} and {}\n\n", text(finding.shown->rule), code(finding.in->target));
  if (finding.shown->expectation) {
    const std::string& reason = finding.shown->expectation->reason;
    out += "Expected" + (reason.empty() ? "" : ": " + text(reason)) + ". ";
  }
  out += fmt::format("{} of {}. The clearest case is {}.\n\n", counted(finding.violating, "case"),
                     counted(finding.rows.size(), "recording"), code(first.case_id));
  out += "> Found: " + text(first.message) + "\n\n";
  out += markdown::block(reproduce_line(first, finding.in->target, heading), "sh");
  if (first.alone) add_upstream(out, first);
  if (first.downstream.empty()) return;
  out += (first.of_request
              ? std::string("\nRequest to the upstream:\n\n")
              : fmt::format("\nDownstream bytes {} to {}:\n\n", first.place.begin, first.place.end)) +
         markdown::block(first.downstream);
}

void add_targets(std::string& out, const std::vector<RecordingResult>& results, const Matrix& table,
                 const Heading& heading) {
  out +=
      "\n## Targets\n\n| target | verdict | recordings | of these not judged | cases | obligations met | violated | "
      "of these, of requests | expected | passed on | advice | not exercised | not judged |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const std::string& target : heading.targets)
    add_target(out, results, table, target, heading, heading.untested.count(target) == 0);
  if (!heading.notes.empty() || !heading.untested.empty() || !heading.growth.empty()) out += "\n";
  for (const auto& [target, why] : heading.untested)
    out += "- " + code(target) + " was not tested to the end: " + text(why) + "\n";
  for (const auto& [target, remark] : heading.notes) out += "- " + code(target) + ": " + text(remark) + "\n";
  for (const auto& [target, growth] : heading.growth)
    for (const std::string& line : growth_lines(growth))
      out += "- " + code(target) + ": " + text(line) + "\n";
}

// Returns when and how the run was made.
std::string context_list(const Heading& heading, const Summary& summary) {
  std::string out = "\n";
  for (const auto& [name, value] : run_context(heading, summary))
    out += fmt::format("- {}: {}\n", name, name == "command" ? code(value) : text(value));
  return out;
}

// Returns findings, and expected violations of rules without a finding.
std::vector<Finding> shown_findings(const std::vector<RecordingResult>& results) {
  std::vector<Finding> findings = findings_of(results, false);
  for (Finding& expected : findings_of(results, true)) {
    const bool shown = std::any_of(findings.begin(), findings.end(), [&](const Finding& one) {
      return one.in->target == expected.in->target && one.shown->rule == expected.shown->rule;
    });
    if (!shown) findings.push_back(std::move(expected));
  }
  return findings;
}

// Explains each violated rule. Returns the clients whose reactions it lists.
std::vector<std::string> add_violated(std::string& out, const std::vector<Finding>& findings,
                                      const Matrix& table, const Heading& heading) {
  out += "\n## What was violated\n";
  std::vector<std::string> clients;
  for (const auto& entry : table.obligations) {
    const Rule& obligation = *entry.first;
    std::vector<const Finding*> here;
    for (const std::string& target : heading.targets) {
      for (const Finding& finding : findings) {
        if (finding.in->target == target && finding.shown->rule == obligation.id) here.push_back(&finding);
      }
    }
    if (here.empty()) continue;
    out += fmt::format("\n### {}\n\n**{}:** {}\n", text(obligation.id), contract::name(entry.second),
                       text(obligation.headline()));
    if (!obligation.title.empty()) out += "\nThe rule: " + text(obligation.says) + "\n";
    if (!obligation.why.empty()) out += "\nWhy: " + text(obligation.why) + "\n";
    add_clients(out, heading.clients, obligation.id);
    for (const contract::Clients::Impact& impact : heading.clients.impact(obligation.id)) {
      if (std::find(clients.begin(), clients.end(), impact.client) == clients.end())
        clients.push_back(impact.client);
    }
    for (const Finding* finding : here) add_finding(out, *finding, heading);
  }
  return clients;
}

}  // namespace

std::string scorecard(const std::vector<RecordingResult>& results, const Heading& heading,
                      const Summary& summary, bool complete) {
  const Matrix table = matrix_of(results, heading);
  std::string out = "# Scorecard of splitproof " SPLITPROOF_VERSION "\n\n";
  if (!complete) out += "**The run was interrupted, so these results are incomplete.**\n\n";
  out += "**" + text(headline(results, heading, summary, complete)) + "**\n\n";
  out += markdown::lines_block(verdict_line(summary)) + context_list(heading, summary);
  out += fmt::format("\n{} of", counted(summary.recordings, "recording"));
  const char* separator = " ";
  for (const std::string& corpus : heading.corpora) {
    out += separator + text(corpus);
    separator = " and ";
  }
  out += fmt::format(", seed {}, profile {}{}.\n", heading.seed, code(heading.profile),
                     heading.strict ? "; rules of level `should` decide too" : "");

  out += fix_first(results, heading, summary, kMostOfCauses);

  add_targets(out, results, table, heading);

  out +=
      "\n## Obligations\n\n`violated 3/40`: 3 of 40 judged cases violate the rule. `expected`: "
      "violated, and listed as a known failure. `passed on`: the upstream's own stream violates "
      "the rule. Only **violated** rules fail the run. `not exercised`: no event that the rule "
      "reads occurred. `not judged`: splitproof could not decide.\n\n";
  add_table(out, table, heading.targets);

  if (!summary.stale.empty()) out += "\n## Stale expectations\n\n";
  for (const results::StaleExpectation& gone : summary.stale) {
    out += fmt::format("- {}: {}, but {}\n",
                       code(fmt::format("{}:{}", gone.expectation.file, gone.expectation.line)),
                       code(results::line_of(gone.expectation)), text(gone.why));
  }

  const std::vector<Finding> findings = shown_findings(results);
  if (findings.empty()) return out;
  const std::vector<std::string> clients = add_violated(out, findings, table, heading);
  if (clients.empty()) return out;
  out += "\n## Clients\n\n";
  for (const std::string& id : clients) {
    const contract::ClientProgram& client = *heading.clients.find(id);
    out += fmt::format("- {}: {} {}, {}\n", code(client.id), text(client.name), text(client.version),
                       code(client.run));
  }
  return out;
}

}  // namespace splitproof::report
