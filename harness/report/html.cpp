#include "harness/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "harness/observe/trace.hpp"
#include "harness/report/cause_text.hpp"
#include "harness/report/growth_text.hpp"
#include "harness/report/matrix.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

using contract::Reaction;

constexpr std::size_t kOccurrences = 50;  // named for each cause
constexpr std::size_t kTitledCuts = 500;  // cuts with an offset as title
constexpr std::size_t kTail = 20'000;     // bytes for the end of the page

// Escapes text for elements and for attributes in double quotes. Invisible characters become escapes.
std::string html(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Ends a line after every line feed, which is shown.
std::string html_lines(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    const bool ends_line = bytes[end - 1] == '\n';
    out += html(bytes.substr(0, ends_line ? end - 1 : end));
    if (ends_line) out += "<span class=\"dim\">\\n</span>\n";
    bytes.remove_prefix(end);
  }
  return out;
}

const char* css(Reaction reaction) {
  return reaction == Reaction::wrong ? "wrong" : reaction == Reaction::throws ? "throws" : "good";
}

std::string command(const std::string& line) {
  return "<div class=\"command\"><pre><code>" + html(line) +
         "</code></pre><button type=\"button\" class=\"copy\" aria-label=\"Copy the command\" hidden>Copy</button></div>\n";
}

// Returns the ends of upstream events: after blank lines, or after every line if there are none.
std::vector<std::size_t> ends_of_events(std::string_view body) {
  std::vector<std::size_t> ends;
  std::vector<std::size_t> lines;
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find('\n', begin), body.size() - 1) + 1;
    const std::string_view line = body.substr(begin, end - begin);
    lines.push_back(end);
    if (line == "\n" || line == "\r\n") ends.push_back(end);
    begin = end;
  }
  return ends.empty() ? lines : ends;
}

std::string upstream_lane(const results::Upstream& upstream) {
  const std::string_view body = std::string_view(upstream.body).substr(0, results::kKeptBody);
  std::string out = "<ol class=\"lane\" tabindex=\"0\" aria-label=\"Upstream stream\">\n";
  std::size_t at = 0;
  auto cut = upstream.cuts.begin();
  std::vector<std::size_t> ends = ends_of_events(body);
  if (ends.empty() || ends.back() < body.size()) ends.push_back(body.size());
  for (const std::size_t end : ends) {
    out += fmt::format("<li><span class=\"dim\">byte {}</span><pre>", at);
    for (; cut != upstream.cuts.end() && *cut < end; ++cut) {
      out += html_lines(body.substr(at, *cut - at));
      out += upstream.cuts.size() > kTitledCuts
                 ? std::string("<b class=\"cut\">|</b>")
                 : fmt::format("<b class=\"cut\" title=\"cut at byte {0}\">|</b>", *cut);
      at = *cut;
    }
    out += html_lines(body.substr(at, end - at)) + "</pre></li>\n";
    at = end;
  }
  if (upstream.body.size() > body.size())
    out += fmt::format("<li class=\"dim\">and {} more bytes</li>\n", upstream.body.size() - body.size());
  return out + fmt::format("<li class=\"dim\">end: {}</li></ol>\n", recording::name(upstream.end));
}

std::string downstream_lane(const results::Reproducer& shown) {
  std::string out = "<ol class=\"lane\" tabindex=\"0\" aria-label=\"Client stream\">\n";
  const std::string first = "<span class=\"wrong\">here: " + html(shown.message) + "</span><br>";
  if (shown.of_request) {
    return out + fmt::format(
                     "<li class=\"first\">{}<span class=\"dim\">request to the "
                     "upstream</span><pre>{}</pre></li></ol>\n",
                     first, html_lines(shown.downstream));
  }
  if (shown.body.empty() && !shown.downstream.empty()) {
    return out +
           fmt::format(
               "<li class=\"first\">{}<span class=\"dim\">bytes {} to {}</span><pre>{}</pre></li></ol>\n",
               first, shown.place.begin, shown.place.end, html_lines(shown.downstream));
  }
  const observe::Trace trace = observe::read_trace(shown.body, observe::DataKind::text);
  bool marked = false;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const observe::Event& event = trace.events[i];
    const bool is_first =
        !marked && (shown.place.event ? *shown.place.event == i
                                      : shown.place.begin >= event.begin && shown.place.begin < event.end);
    marked |= is_first;
    out += fmt::format("<li{}>{}<span class=\"dim\">{}{}, byte {}</span><pre>{}</pre></li>\n",
                       is_first ? " class=\"first\"" : "", is_first ? first : "", i,
                       event.event ? " " + html(*event.event) : "", event.begin, html(event.data));
  }
  if (trace.events.empty() && !shown.body.empty())
    out += "<li><pre>" + html_lines(shown.body) + "</pre></li>\n";
  if (shown.body.size() == results::kKeptBody)
    out += fmt::format("<li class=\"dim\">cut off: the report keeps only the first {} bytes</li>\n",
                       results::kKeptBody);
  if (!marked) out += "<li class=\"first\">" + first + "</li>\n";
  return out + "</ol>\n";
}

std::string occurrences(const cause::Cause& cause) {
  std::string out = fmt::format("<details><summary>Recordings: {}</summary><ul>\n", html(extent(cause)));
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

std::string cause_html(const cause::Cause& cause, std::size_t number, const Heading& heading,
                       bool with_bytes) {
  nlohmann::json clients = nlohmann::json::array();
  std::string marks;
  std::string impacts;
  for (const Reaction reaction : {Reaction::wrong, Reaction::throws, Reaction::accepts}) {
    for (const cause::Impact& impact : cause.impacts) {
      if (impact.reaction != reaction) continue;
      const std::string word = fmt::format("{} {}", html(impact.client), contract::name(reaction));
      impacts += fmt::format("<li><b class=\"{}\">{}:</b> {}</li>\n", css(reaction), word, html(impact.says));
      if (reaction == Reaction::accepts) continue;
      clients.push_back(visible(impact.client));
      marks += fmt::format(" <span class=\"mark {}\">{}</span>", css(reaction), word);
    }
  }
  std::string out = fmt::format(
      "<details class=\"cause\" id=\"cause-{0}\" data-target=\"{1}\" data-clients=\"{2}\"><summary>"
      "<span class=\"rule\">{0}. {3}</span> <span class=\"dim\">{4}</span> {5}{6}<span class=\"extent dim\">{7}</span></summary>\n<div>\n",
      number, html(cause.target), html(clients.dump()), html(cause.rule->id), contract::name(cause.level),
      html(cause.rule->headline()), marks, html(extent(cause)));
  if (!cause.rule->title.empty()) out += "<p>The rule: " + html(cause.rule->says) + "</p>\n";
  out += "<p>Found: " + html(cause.shown.message) + "</p>\n";
  if (const std::string when = trigger(cause); !when.empty()) out += "<p>Only when " + html(when) + "</p>\n";
  if (!impacts.empty()) out += "<h3>What clients do</h3>\n<ul>" + impacts + "</ul>\n";
  if (!cause.rule->why.empty()) out += "<p>Why: " + html(cause.rule->why) + "</p>\n";
  if (const std::string depends = knobs(cause); !depends.empty())
    out += "<p>Depends on the knobs: " + html(depends) + "</p>\n";
  if (!cause.below.empty())
    out +=
        "<p>Rules with the same cause: " + html(fmt::format("{}", fmt::join(below(cause), ", "))) + "</p>\n";
  if (!cause.perhaps.empty())
    out += "<p>Rules that may have other causes, violated in the same cases: " +
           html(fmt::format("{}", fmt::join(perhaps(cause), ", "))) + "</p>\n";
  out += "<h3>Run the case again</h3>\n" + command(reproduce_line(cause, heading));
  if (with_bytes) {
    out += "<div class=\"lanes\">\n";
    if (cause.shown.alone)
      out +=
          fmt::format("<section><h3>Upstream, {}</h3>\n{}</section>\n",
                      counted(cause.shown.upstream.cuts.size(), "cut"), upstream_lane(cause.shown.upstream));
    out += "<section><h3>Downstream</h3>\n" + downstream_lane(cause.shown) + "</section>\n</div>\n";
    if (cause.smallest) {
      out += fmt::format("<h3>Smallest upstream: {}</h3>\n", html(extent(*cause.smallest))) +
             upstream_lane(cause.smallest->upstream) + command(shrink_line(cause, heading));
    }
    out += occurrences(cause);
  } else {
    out += "<p class=\"dim\">The report leaves out the bytes, because the page would be too large.</p>\n";
  }
  return out + "</div></details>\n";
}

std::string options(const std::set<std::string>& names) {
  std::string out = "<option value=\"\">all</option>";
  for (const std::string& name : names) out += fmt::format("<option>{}</option>", html(name));
  return out;
}

std::string filter_html(const Summary& summary) {
  std::set<std::string> targets;
  std::set<std::string> clients;
  for (const cause::Cause& cause : summary.causes) {
    targets.insert(cause.target);
    for (const cause::Impact& impact : cause.impacts)
      if (impact.reaction != Reaction::accepts) clients.insert(impact.client);
  }
  return fmt::format(
      "<form class=\"filter\" role=\"search\" hidden>\n<label>Target <select id=\"target\">{}</select></label>\n"
      "<label>Hurts the client <select id=\"client\">{}</select></label>\n"
      "<label>With the words <input id=\"word\" type=\"search\"></label>\n<output id=\"count\" aria-live=\"polite\"></output>\n</form>\n",
      options(targets), options(clients));
}

std::string readiness_html(const std::vector<results::RecordingResult>& results, const Heading& heading,
                           const Summary& summary) {
  std::string rows;
  for (const ReadyFor& one : readiness_of(results, heading, summary)) {
    rows +=
        fmt::format("<tr><td>{}</td><td>{} {}</td><td class=\"{}\">{}</td><td class=\"dim\">{}</td></tr>\n",
                    html(one.target), html(one.client->id), html(one.client->version),
                    one.ready ? "good" : "wrong", html(one.verdict), html(one.client->tried));
  }
  if (rows.empty()) return rows;
  return "<h2>Clients</h2>\n<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Clients\"><table><thead><tr><th scope=\"col\">target</th><th scope=\"col\">client</th>"
         "<th scope=\"col\">ready?</th><th scope=\"col\">tried</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

// Returns the table of rules; rules that all targets met are only counted.
std::string matrix_html(const std::vector<results::RecordingResult>& results, const Heading& heading) {
  const Matrix matrix = matrix_of(results, heading);
  std::string out =
      "<h2>Rules</h2>\n<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Rules\"><table><thead><tr><th scope=\"col\">rule</th>";
  for (const std::string& target : heading.targets) out += "<th scope=\"col\">" + html(target) + "</th>";
  out += "</tr></thead><tbody>\n";
  std::size_t others = 0;
  std::size_t left_out = 0;
  for (const auto& [rule, level] : matrix.obligations) {
    std::string row = fmt::format("<tr><th scope=\"row\">{} <span class=\"dim\">{}</span></th>",
                                  html(rule->id), contract::name(level));
    bool told = false;
    for (const std::string& target : heading.targets) {
      const Cell* cell = matrix.find(rule->id, target);
      told |= cell != nullptr && (cell->violated() || cell->passed_on);
      row += fmt::format("<td{}>{}</td>", cell != nullptr && cell->decides ? " class=\"wrong\"" : "",
                         words(cell));
    }
    if (!told) {
      ++others;
    } else if (out.size() + row.size() > kMostOfPage / 4) {
      ++left_out;
    } else {
      out += row + "</tr>\n";
    }
  }
  out += "</tbody></table></div>\n";
  if (left_out > 0) out += fmt::format("<p>and {} more violated</p>\n", left_out);
  return out + fmt::format("<p class=\"dim\">{} violated on no target.</p>\n", counted(others, "rule"));
}

}  // namespace

std::string html_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                        const Summary& summary, bool complete) {
  const std::string verdict = !complete             ? "interrupted"
                              : !summary.conforms() ? "violates"
                              : summary.cut_short   ? "conforms so far"
                                                    : "conforms";
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<title>splitproof: {0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header>\n<h1>splitproof: "
      "<span class=\"{2}\">{0}</span></h1>\n",
      verdict, kPageStyle, verdict == "conforms" ? "good" : "wrong");
  if (!complete) out += "<p>The run was interrupted, so these results are incomplete.</p>\n";
  out += "<p>" + html(verdict_line(summary)) + "</p>\n";
  out += fmt::format(
      "<p class=\"dim\">splitproof {}; targets {}; recordings from {}; seed {}, profile {}</p>\n",
      SPLITPROOF_VERSION, html(fmt::format("{}", fmt::join(heading.targets, ", "))),
      html(fmt::format("{}", fmt::join(heading.corpora, ", "))), heading.seed, html(heading.profile));
  for (const auto& [target, why] : heading.untested)
    out += "<p class=\"wrong\">" + html(target) + " was not tested to the end: " + html(why) + "</p>\n";
  for (const auto& [target, remark] : heading.notes)
    out += "<p>" + html(target) + ": " + html(remark) + "</p>\n";
  for (const auto& [target, growth] : heading.growth)
    for (const std::string& line : growth_lines(growth)) out += "<p>" + html(target + ": " + line) + "</p>\n";
  out += "</header>\n<main>\n" + readiness_html(results, heading, summary);

  const std::string matrix = matrix_html(results, heading);
  if (!summary.causes.empty()) out += "<h2>What to fix first</h2>\n" + filter_html(summary);
  const std::size_t room = kMostOfPage - matrix.size() - kTail;
  std::size_t number = 0;
  for (const cause::Cause& cause : summary.causes) {
    std::string piece = cause_html(cause, number + 1, heading, out.size() < room * 3 / 4);
    if (out.size() + piece.size() > room * 3 / 4) piece = cause_html(cause, number + 1, heading, false);
    if (out.size() + piece.size() > room) break;
    out += piece;
    ++number;
  }
  if (number < summary.causes.size())
    out += fmt::format("<p>and {} more</p>\n", counted(summary.causes.size() - number, "cause"));
  out += matrix;
  for (const results::StaleExpectation& gone : summary.stale)
    out += "<p>Stale expectation: " + html(results::line_of(gone.expectation)) + ": " + html(gone.why) +
           "</p>\n";
  return out + "</main>\n<script>" + kPageScript + "</script>\n</body>\n</html>\n";
}

}  // namespace splitproof::report
