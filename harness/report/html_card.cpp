#include "harness/report/html_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/report/bug_kind.hpp"
#include "harness/report/cause_text.hpp"
#include "harness/report/client_state.hpp"
#include "harness/report/request_diff.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using contract::Reaction;

constexpr std::size_t kOccurrences = 50;      // named for each cause
constexpr std::size_t kSmallestBytes = 4000;  // of the smallest upstream
constexpr std::size_t kValueBytes = 2000;     // of an expected or actual value

const char* reaction_class(Reaction reaction) {
  return reaction == Reaction::wrong ? "wrong" : reaction == Reaction::throws ? "throws" : "good";
}

// Returns the behaviour that shows the cause, or null.
const results::Behaviour* shown_behaviour(const cause::Cause& cause) {
  for (const results::Behaviour& one : cause.in->behaviours)
    if (one.case_id == cause.shown.case_id) return &one;
  return nullptr;
}

// Returns the violation that the card shows, or null.
const contract::Violation* shown_violation(const cause::Cause& cause) {
  const results::Behaviour* behaviour = shown_behaviour(cause);
  if (behaviour == nullptr) return nullptr;
  for (const results::Symptom& one : behaviour->symptoms)
    if (one.rule == cause.rule->id && one.message == cause.shown.message) return &one.violation;
  return nullptr;
}

std::string card_head(const cause::Cause& cause, std::size_t number, const std::string& id,
                      const Overview& overview, const Summary& summary) {
  const BugKind kind = kind_of(cause);
  nlohmann::json names = nlohmann::json::array();
  std::string marks;
  for (const ClientResult& one : overview.clients) {
    if (!std::binary_search(one.breaks_on.begin(), one.breaks_on.end(), number)) continue;
    names.push_back(visible(one.client->id));
    marks += fmt::format("<span class=\"mark\">{}</span>", html(one.client->id));
  }
  const bool is_new = summary.since && summary.since->is_new(cause);
  return fmt::format(
      "<details class=\"bug\" id=\"{}\" data-number=\"{}\" data-kind=\"{}\" data-target=\"{}\" "
      "data-clients=\"{}\"{}><summary><span class=\"kind {}\">{}</span> {}<span class=\"title\">{}. {}</span> "
      "<code class=\"dim\">{}</code><span class=\"extent\">{} {}</span></summary>\n<div>\n",
      id, number, report::id(kind), html(cause.target), html(names.dump()), is_new ? " data-new" : "",
      report::id(kind), title(kind), is_new ? "<span class=\"new\">new</span> " : "", number,
      html(cause.title()), html(cause.name()), html(extent(cause)), marks);
}

std::string what_html(const cause::Cause& cause, const std::string& id) {
  std::string out =
      "<section><h3>What is wrong</h3>\n<p class=\"found\">" + html(cause.shown.message) + "</p>\n";
  out += fmt::format(
      "<p><a href=\"#rule-{}\">{}</a> ({}): {} <button type=\"button\" class=\"copy link\" data-link=\"{}\" "
      "hidden>Copy link</button></p>\n",
      html_id(cause.rule->id), html(cause.rule->id), contract::name(cause.level), html(cause.rule->says), id);
  if (const std::string tries = instability(cause); !tries.empty()) out += "<p>" + html(tries) + "</p>\n";
  if (const std::string when = trigger(cause); !when.empty()) out += "<p>Only when " + html(when) + ".</p>\n";
  if (const std::string depends = knobs(cause); !depends.empty())
    out += "<p>Depends on the knobs: " + html(depends) + "</p>\n";
  return out + "</section>\n";
}

std::string affected_html(const cause::Cause& cause) {
  std::string rows;
  for (const Reaction reaction : {Reaction::wrong, Reaction::throws, Reaction::accepts}) {
    for (const cause::Impact& impact : cause.impacts)
      if (impact.reaction == reaction)
        rows += fmt::format(
            "<dt>{} <span class=\"{}\">{}</span></dt><dd>{}</dd>\n", html(impact.client),
            reaction_class(reaction), contract::name(reaction),
            (impact.is_same_stream ? "" : "another answer that breaks this rule: ") + html(impact.says));
  }
  const bool has_sources = cause.impacts.empty() && !cause.rule->harm.empty();
  if (has_sources)
    for (const results::Harm& harm : cause.rule->harm)
      rows += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html(harm.source()), html(harm.says));
  std::string out = "<section><h3>Who is affected</h3>\n";
  if (kind_of(cause) == BugKind::crash) out += "<p>Every client: the target does not answer.</p>\n";
  if (!cause.rule->why.empty()) out += "<p>" + html(cause.rule->why) + "</p>\n";
  if (has_sources) out += "<p class=\"dim\">No client was tried with this answer. The rule rests on:</p>\n";
  if (!rows.empty()) out += "<dl class=\"clients\">" + rows + "</dl>\n";
  std::string links;
  for (const std::string& one : cause.rule->seen) {
    const std::string url = incident_url(one);
    links += url.empty() ? " " + html(one)
                         : fmt::format(" <a href=\"{}\" rel=\"noreferrer\">{}</a>", html(url), html(one));
  }
  if (!links.empty()) out += "<p>Public incidents:" + links + "</p>\n";
  return out + "</section>\n";
}

// Returns the stream of the smallest case, or "" if the case is about a request or no single case shows the bug.
std::string smallest_html(const cause::Cause& cause) {
  if (cause.smallest)
    return fmt::format("<p>{}</p>\n", html(extent(*cause.smallest))) +
           upstream_html(cause.smallest->upstream, kSmallestBytes);
  if (!cause.shown.alone || cause.shown.of_request || cause.shown.upstream.body.empty()) return {};
  return fmt::format("<p>Upstream stream, {}</p>\n", cut_count(cause.shown.upstream)) +
         upstream_html(cause.shown.upstream, kSmallestBytes);
}

std::string commands_html(const cause::Cause& cause, const Heading& heading) {
  std::string out = command_html("Run the case again", reproduce_line(cause, heading));
  if (cause.smallest) out += command_html("Find the smallest case", shrink_line(cause, heading));
  return out + "</section>\n";
}

std::string diff_html(const results::Behaviour& behaviour) {
  std::string out =
      "<p><span class=\"removed\">- request of the client</span> <span class=\"added\">+ request to the "
      "upstream</span></p>\n<div class=\"diff\" tabindex=\"0\" role=\"region\" aria-label=\"Difference of the "
      "requests\">";
  for (const DiffLine& line : request_diff(behaviour.client_request, behaviour.upstream_request)) {
    const char* name = line.side == DiffSide::client     ? "removed"
                       : line.side == DiffSide::upstream ? "added"
                                                         : "same";
    const char* sign = line.side == DiffSide::client ? "- " : line.side == DiffSide::upstream ? "+ " : "  ";
    out += fmt::format("<pre class=\"{}{}\">{}{}</pre>", name, line.moved ? " moved" : "", sign,
                       html(line.text));
  }
  return out + "</div>\n";
}

std::string comparison_html(const cause::Cause& cause) {
  std::string out = "<section><h3>Expected and actual</h3>\n";
  const contract::Violation* violation = shown_violation(cause);
  const bool has_values = violation != nullptr && !violation->wanted.empty() &&
                          !are_booleans(violation->wanted, violation->found);
  const std::string expected = has_values ? clipped(violation->wanted, kValueBytes) : cause.rule->says;
  const std::string actual = has_values                        ? clipped(violation->found, kValueBytes)
                             : !cause.shown.downstream.empty() ? cause.shown.downstream
                                                               : cause.shown.message;
  out += fmt::format(
      "<div class=\"pair\"><figure class=\"expected\"><figcaption>Expected</figcaption><pre>{}</pre></figure>"
      "<figure class=\"actual\"><figcaption>Actual</figcaption><pre>{}</pre></figure></div>\n",
      html(expected), html(actual));
  const results::Behaviour* behaviour = shown_behaviour(cause);
  if (cause.shown.of_request && behaviour != nullptr && !behaviour->upstream_request.empty())
    out += diff_html(*behaviour);
  return out + "</section>\n";
}

std::string related_html(const cause::Cause& cause) {
  std::string out;
  const auto add = [&](const char* head, const std::vector<std::string>& ids) {
    if (ids.empty()) return;
    out += fmt::format("<p>{}:", head);
    for (const std::string& one : ids)
      out += fmt::format(" <a href=\"#rule-{}\">{}</a>", html_id(one), html(one));
    out += "</p>\n";
  };
  add("Rules with the same cause", below(cause));
  add("Rules that may have other causes, violated in the same cases", perhaps(cause));
  out += fmt::format("<details class=\"fold\"><summary>Recordings: {}</summary><ul>\n", html(extent(cause)));
  std::size_t shown = 0;
  for (const cause::Occurrence& one : cause.occurrences) {
    if (shown++ == kOccurrences) break;
    out += fmt::format("<li><code>{}</code> <span class=\"dim\">{}</span></li>\n", html(one.case_id),
                       counted(one.cases, "case"));
  }
  if (cause.occurrences.size() > kOccurrences)
    out += fmt::format("<li>and {} more</li>\n", cause.occurrences.size() - kOccurrences);
  return out + "</ul></details>\n";
}

std::string wires_html(const cause::Cause& cause) {
  std::string out = "<details class=\"fold wires\"><summary>Whole streams</summary><div class=\"lanes\">\n";
  if (cause.shown.alone)
    out += fmt::format("<div><h4>Upstream, {}</h4>\n{}</div>\n", cut_count(cause.shown.upstream),
                       upstream_html(cause.shown.upstream, results::kKeptBody));
  return out + "<div><h4>Client</h4>\n" + downstream_html(cause.shown) + "</div>\n</div></details>\n";
}

}  // namespace

std::vector<std::string> card_ids(const Heading& heading, const Summary& summary) {
  std::vector<std::string> ids;
  std::set<std::string> taken;
  for (const cause::Cause& cause : summary.causes) {
    const std::string name = "bug-" +
                             (heading.targets.size() > 1 ? html_id(cause.target) + "-" : std::string()) +
                             html_id(cause.name());
    std::string id = name;
    for (std::size_t i = 2; !taken.insert(id).second; ++i) id = fmt::format("{}-{}", name, i);
    ids.push_back(std::move(id));
  }
  return ids;
}

Card card_html(std::size_t number, const Heading& heading, const Summary& summary, const Overview& overview) {
  const cause::Cause& cause = summary.causes[number - 1];
  Card card;
  card.begin = card_head(cause, number, overview.ids[number - 1], overview, summary) +
               what_html(cause, overview.ids[number - 1]) + affected_html(cause) +
               "<section><h3>Smallest case</h3>\n";
  card.smallest = smallest_html(cause);
  card.middle = commands_html(cause, heading) + comparison_html(cause) + related_html(cause);
  card.wires = wires_html(cause);
  return card;
}

std::string card_end(bool with_wires) {
  return std::string(with_wires
                         ? ""
                         : "<p class=\"dim\">The report leaves out the whole streams, because the page "
                           "would be too large.</p>\n") +
         "</div></details>\n";
}

}  // namespace splitproof::report
