#include "harness/report/cause_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/cause/impact.hpp"
#include "harness/report/bug_kind.hpp"
#include "harness/report/cause_text.hpp"
#include "harness/report/evidence.hpp"
#include "harness/report/text_layout.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

std::string title_line(const std::string& title, const std::string& name, contract::Level level,
                       const Ink& ink) {
  return fmt::format("{}{}{}{}  [{}, {}]\n", ink.bold, ink.red, title, ink.off, name, contract::name(level));
}

std::string title_line(const cause::Cause& cause, std::size_t number, const Ink& ink) {
  return title_line(fmt::format("{}. {}", number, cause.title()), cause.name(), cause.level, ink);
}

// Returns who is affected by a bug and how, the worst first, one client a line.
std::vector<std::string> affected(const cause::Cause& cause) {
  if (kind_of(cause) == BugKind::crash) return {"every client: " + cause.rule->why};
  if (!cause.impacts.empty()) {
    std::vector<std::string> lines = hurts(cause);
    if (lines.empty())
      lines.push_back(fmt::format("none of the {} that were tested with such an answer",
                                  counted(cause.impacts.size(), "client")));
    return lines;
  }
  std::vector<std::string> lines;
  for (const results::Harm& harm : cause.rule->harm)
    if (!harm.client.empty()) lines.push_back(harm.client + " breaks on a similar answer: " + harm.says);
  if (lines.empty()) lines.emplace_back("not known: no client was tested with such an answer");
  return lines;
}

std::string rules_below(const cause::Cause& cause) {
  std::string out;
  if (!cause.below.empty())
    out +=
        card_item("also", fmt::format("{}", fmt::join(below(cause), " ")) + " (rules with the same cause)");
  if (!cause.perhaps.empty())
    out += card_item(
        "perhaps", fmt::format("{}", fmt::join(perhaps(cause), " ")) + " (rules that may have other causes)");
  return out;
}

// Returns the smallest stream with the bug. Without one, returns the beginning of the stream that is shown.
std::string upstream_lines(const cause::Cause& cause) {
  if (!cause.smallest)
    return cause.shown.of_request ? std::string()
                                  : card_lines("upstream", lines_in(first_lines(cause.shown.upstream.body)));
  std::vector<std::string> shown{extent(*cause.smallest)};
  for (std::string& line : lines_in(first_lines(cause.smallest->upstream.body)))
    shown.push_back(std::move(line));
  return card_lines("smallest", shown);
}

std::string rule_lines(const results::Rule& rule) {
  std::string out;
  if (!rule.title.empty()) out += card_item("rule", rule.says);
  if (!rule.why.empty()) out += card_item("why", rule.why);
  return out;
}

}  // namespace

std::string cause_card(const cause::Cause& cause, std::size_t number, const Heading& heading,
                       const Ink& ink) {
  std::string out = title_line(cause, number, ink);
  std::string label = "affects";
  for (const std::string& line : affected(cause)) {
    out += card_item(label, line);
    label.clear();
  }
  out += card_item("in", extent(cause));
  if (const std::string when = trigger(cause); !when.empty()) out += card_item("only when", when);
  if (const std::string tries = instability(cause); !tries.empty()) out += card_item("tries", tries);
  out += evidence_lines(cause, heading.rules);
  out += upstream_lines(cause);
  out += card_lines("reproduce", {reproduce_line(cause, heading)});
  if (cause.smallest) out += card_lines("shrink", {shrink_line(cause, heading)});
  out += rule_lines(*cause.rule);
  if (const std::string depends = knobs(cause); !depends.empty()) out += card_item("knobs", depends);
  return out + rules_below(cause) + "\n";
}

std::string brief_card(const cause::Cause& cause, std::size_t number, const Ink& ink) {
  return title_line(cause, number, ink) + "   " + extent(cause) + "\n";
}

std::string finding_card(const Finding& finding, const Heading& heading, const Ink& ink) {
  const results::Row& row = *finding.shown;
  const results::Rule& rule = heading.rules.at(row.rule);
  std::string out = title_line(rule.headline(), rule.id, row.level, ink);
  const std::string line = clients_line(heading.clients, row.rule, cause::finding_for_clients(*row.first));
  if (!line.empty()) out += card_item("affects", line);
  out += card_item("in", fmt::format("{} of {} on {}", counted(finding.violating, "case"),
                                     counted(finding.rows.size(), "recording"), finding.in->target));
  out += evidence_lines(*row.first, *finding.in);
  out += card_lines("reproduce", {reproduce_line(*row.first, finding.in->target, heading)});
  std::vector<std::string> others;
  for (const auto& entry : finding.rows)
    if (entry.second != &row) others.push_back(entry.first->recording.id);
  if (!others.empty()) out += card_item("also in", few(others));
  return out + rule_lines(rule) + "\n";
}

}  // namespace splitproof::report
