#include "harness/report/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/report/cause_card.hpp"
#include "harness/report/cause_text.hpp"
#include "harness/report/client_state.hpp"
#include "harness/report/console_notes.hpp"
#include "harness/report/findings.hpp"
#include "harness/report/growth_text.hpp"
#include "harness/report/headline.hpp"
#include "harness/report/run_context.hpp"
#include "harness/report/text_layout.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using results::RecordingResult;

constexpr std::size_t kWholeCards = 10;  // for each target; nobody reads more at once

Ink ink(bool colour) { return colour ? Ink{"\033[1m", "\033[31m", "\033[32m", "\033[0m"} : Ink{}; }

std::string cause_cards(const std::vector<cause::Cause>& causes, const Heading& heading, bool all,
                        const Ink& ink) {
  std::string out;
  std::map<std::string, std::size_t> counts;  // by target
  std::size_t number = 0;
  std::size_t brief = 0;
  for (const cause::Cause& cause : causes) {
    ++number;
    const bool is_whole = all || ++counts[cause.target] <= kWholeCards;
    brief += is_whole ? 0 : 1;
    out += is_whole ? cause_card(cause, number, heading, ink) : brief_card(cause, number, ink);
  }
  if (brief > 0) out += fmt::format("\n--verbose shows the details of {}\n\n", counted(brief, "more bug"));
  return out;
}

// "breaks on 3 of 31 bugs", "works: no bug that breaks it in 504 recordings"
std::string state_text(const ClientResult& one) {
  const std::string state(name(one.state));
  return one.says.starts_with(state) ? one.says : state + ": " + one.says;
}

// Returns a table of the clients of each target: the state, and its reason.
std::string client_lines(const std::vector<RecordingResult>& results, const Heading& heading,
                         const Summary& summary) {
  std::vector<std::pair<std::string, std::string>> rows;
  std::size_t width = 0;
  for (const ClientResult& one : client_results(results, heading, summary)) {
    const std::string tested = one.client->tried.empty() ? "" : " (tested " + one.client->tried + ")";
    rows.emplace_back(one.client->id + " " + one.client->version + tested,
                      state_text(one) + (heading.targets.size() > 1 ? ", on " + one.target : ""));
    width = std::max(width, rows.back().first.size());
  }
  std::string out;
  for (const auto& [client, state] : rows)
    out += fmt::format("{:<14} {:<{}}  {}\n", out.empty() ? "clients" : "", client, width, state);
  return out;
}

std::string count_lines(const Heading& heading, const Summary& summary) {
  std::string out = report_item("targets", fmt::format("{}", fmt::join(heading.targets, ", ")));
  for (const auto& [target, note] : heading.notes) out += report_item("note", target + ": " + visible(note));
  out += report_item(
      "recordings", fmt::format("{} from {}", grouped(summary.recordings), fmt::join(heading.corpora, ", ")));
  out += report_item("cases",
                     fmt::format("{}: {} split, {} recut, {} with a fault, {} of a further turn; {} judged",
                                 grouped(summary.cases),
                                 grouped(summary.cases - summary.recuts - summary.faults - summary.turns),
                                 grouped(summary.recuts), grouped(summary.faults), grouped(summary.turns),
                                 grouped(summary.outputs, "different output")));
  out +=
      report_item("rules", fmt::format("{} judged, {} not exercised, {} not judged", summary.tally.judged(),
                                       summary.tally.not_exercised(), summary.tally.not_judged()));
  return out;
}

std::string context_lines(const Heading& heading, const Summary& summary) {
  std::string out;
  for (const auto& [name, text] : run_context(heading, summary)) {
    if (name == "command")
      out += fmt::format("{:<14} {}\n", name, visible(text));  // in one line, so that it can be copied
    else
      out += report_item(name == "cases" ? "selection" : name, visible(text));
  }
  return out;
}

}  // namespace

std::string console_report(const std::vector<RecordingResult>& results, const Heading& heading,
                           const Summary& summary, const ConsoleOptions& options) {
  const Ink colours = ink(options.colour);
  const std::string verdict_colour = summary.conforms() ? colours.green : colours.red;
  std::string out = colours.bold + verdict_colour + headline(results, heading, summary, options.complete) +
                    colours.off + "\n\n";
  if (options.all) {
    for (const Finding& finding : findings_of(results, false)) out += finding_card(finding, heading, colours);
  } else {
    out += cause_cards(summary.causes, heading, options.verbose, colours);
    if (options.complete) out += client_lines(results, heading, summary);
  }
  out += context_lines(heading, summary) + count_lines(heading, summary);
  if (options.verbose)
    out += seam_lines(summary.coverage) + unseen_rule_lines(results) + skipped_recut_lines(summary);
  out += passed_on_lines(results) + expectation_lines(results, summary) + unjudged_lines(results, heading);
  if (!options.all) out += advice_lines(results, heading.strict);
  if (!options.complete) return out;
  for (const auto& [target, why] : heading.untested)
    out += report_item("not tested", target + ": " + visible(why));
  for (const auto& [target, text] : heading.throughput)
    out += report_item("throughput", target + ": " + text);
  for (const auto& [target, growth] : heading.growth)
    for (const std::string& line : growth_lines(growth)) out += report_item("growth", target + ": " + line);
  if (!options.all && summary.causes.size() < summary.tally.findings())
    out += fmt::format("{} from {}; --all shows the findings rule by rule\n",
                       grouped(summary.tally.findings(), "finding"), grouped(summary.causes.size(), "bug"));
  return out + colours.bold + verdict_colour + verdict_line(summary) + colours.off + "\n";
}

}  // namespace splitproof::report
