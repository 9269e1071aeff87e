#include "harness/report/html_overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/report/bug_kind.hpp"
#include "harness/report/growth_text.hpp"
#include "harness/report/matrix.hpp"
#include "harness/report/run_context.hpp"

namespace splitproof::report {
namespace {

struct StateWords {
  const char* name;  // of the class
  const char* sign;
  const char* text;
};

StateWords words_of(ClientState state) {
  switch (state) {
    case ClientState::works:
      return {"works", "\xE2\x9C\x93", "works"};
    case ClientState::breaks:
      return {"breaks", "\xE2\x9C\x97", "breaks"};
    case ClientState::not_tested:
      break;
  }
  return {"untested", "\xE2\x80\x93", "not tested"};
}

// Returns a cell of the matrix. The name of a client that breaks is a button, which selects these bugs.
std::string cell_html(const ClientResult& one) {
  const StateWords words = words_of(one.state);
  std::string text = words.text;
  std::string_view rest = one.says;
  if (!one.breaks_on.empty()) {
    text = fmt::format("breaks on {}", one.breaks_on.size());
    if (rest.starts_with(text)) rest.remove_prefix(text.size());
    text = fmt::format("<button type=\"button\" data-client=\"{}\" data-target=\"{}\">{}</button>",
                       html(one.client->id), html(one.target), text);
  }
  return fmt::format(
      "<td title=\"{}\"><span class=\"state {}\"><b>{}</b> {}</span> <span class=\"dim\">{}</span></td>",
      html(one.says), words.name, words.sign, text, html(rest));
}

std::string joined_html(const std::vector<std::string>& names) {
  return html(fmt::format("{}", fmt::join(names, ", ")));
}

// Returns "4 bugs", or the word for a run without bugs.
std::string verdict_html(const Summary& summary, bool complete) {
  if (!summary.causes.empty()) return counted(summary.causes.size(), "bug");
  if (!complete) return "interrupted";
  if (!summary.conforms()) return "violates";
  return summary.is_partial() ? "no bug so far" : "no bug";
}

std::string context_html(const Heading& heading, const Summary& summary) {
  std::string out = "<dl class=\"context\">\n";
  const auto add = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out += fmt::format("<div{}><dt>{}</dt><dd>{}</dd></div>\n", name == "command" ? " class=\"wide\"" : "",
                       name, name == "command" ? "<code>" + html(value) + "</code>" : html(value));
  };
  std::vector<std::string> files;
  for (const auto& [target, file] : heading.files) files.push_back(target + ": " + file);
  for (const auto& [name, text] : run_context(heading, summary)) add(name, text);
  add("target files", fmt::format("{}", fmt::join(files, ", ")));
  add("recordings from", fmt::format("{}", fmt::join(heading.corpora, ", ")));
  if (heading.details.suites.empty()) add("written by", "splitproof " SPLITPROOF_VERSION);
  return out + "</dl>\n";
}

std::string since_html(const Since& since, const Summary& summary) {
  const auto news =
      static_cast<std::size_t>(std::count_if(summary.causes.begin(), summary.causes.end(),
                                             [&](const cause::Cause& cause) { return since.is_new(cause); }));
  std::string out =
      fmt::format("<p class=\"since\">Since {}: {}, {} as before, {} fixed.", html(since.report),
                  counted(news, "new bug"), summary.causes.size() - news, since.fixed);
  if (!since.same_cases) out += " The two runs differ in their cases, so a new bug may only be newly tested.";
  return out + "</p>\n";
}

// The verdicts of a rule over all targets, the most interesting first.
enum class RuleGroup : std::uint8_t { violated, expected, passed_on, met, not_judged, not_exercised };

RuleGroup group_of(const Matrix& matrix, const std::string& rule, const std::vector<std::string>& targets) {
  RuleGroup group = RuleGroup::not_exercised;
  for (const std::string& target : targets) {
    const Cell* cell = matrix.find(rule, target);
    if (cell == nullptr) continue;
    group = std::min(group, cell->violating > 0  ? RuleGroup::violated
                            : cell->expected > 0 ? RuleGroup::expected
                            : cell->passed_on    ? RuleGroup::passed_on
                            : cell->met          ? RuleGroup::met
                            : cell->not_judged   ? RuleGroup::not_judged
                                                 : RuleGroup::not_exercised);
  }
  return group;
}

}  // namespace

std::string head_html(const Heading& heading, const Summary& summary, bool complete) {
  std::string out = fmt::format(
      "<header>\n<p class=\"brand\">splitproof</p>\n<h1><span class=\"{}\">{}</span> in {}</h1>\n",
      summary.causes.empty() && complete && summary.conforms() ? "good" : "wrong",
      verdict_html(summary, complete), joined_html(heading.targets));
  if (!complete) out += "<p class=\"wrong\">The run was interrupted, so these results are incomplete.</p>\n";
  out += "<p class=\"dim\">" + html(verdict_line(summary)) + "</p>\n";
  if (summary.since) out += since_html(*summary.since, summary);
  for (const auto& [target, why] : heading.untested)
    out += "<p class=\"wrong\">" + html(target) + " was not tested to the end: " + html(why) + "</p>\n";
  out += context_html(heading, summary);
  for (const auto& [target, remark] : heading.notes)
    out += "<p class=\"note\">" + html(target) + ": " + html(remark) + "</p>\n";
  for (const auto& [target, growth] : heading.growth)
    for (const std::string& line : growth_lines(growth))
      out += "<p class=\"note\">" + html(target + ": " + line) + "</p>\n";
  return out + "</header>\n";
}

std::string tiles_html(const Summary& summary) {
  std::map<BugKind, std::size_t> counts;
  for (const cause::Cause& cause : summary.causes) ++counts[kind_of(cause)];
  std::string out = "<div class=\"tiles\" role=\"group\" aria-label=\"Bugs by kind\">\n";
  for (const BugKind kind : kBugKinds)
    out += fmt::format(
        "<button type=\"button\" class=\"tile {0}{1}\" data-kind=\"{0}\" aria-pressed=\"false\"><b>{2}</b> "
        "<span>{3}</span></button>\n",
        id(kind), counts[kind] == 0 ? " none" : "", counts[kind], title(kind));
  return out + "</div>\n";
}

std::string clients_html(const Heading& heading, const Overview& overview) {
  if (overview.clients.empty()) return {};
  std::vector<const contract::ClientProgram*> programs;
  for (const ClientResult& one : overview.clients)
    if (std::find(programs.begin(), programs.end(), one.client) == programs.end())
      programs.push_back(one.client);
  std::string out =
      "<h2>Clients</h2>\n<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Clients\"><table class=\"matrix\">"
      "<thead><tr><th scope=\"col\">client</th>";
  for (const std::string& target : heading.targets) out += "<th scope=\"col\">" + html(target) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const contract::ClientProgram* program : programs) {
    out += fmt::format("<tr><th scope=\"row\">{} <span class=\"dim\">{}{}</span></th>", html(program->id),
                       html(program->version),
                       program->tried.empty() ? std::string() : ", tried " + html(program->tried));
    for (const std::string& target : heading.targets) {
      const auto one = std::find_if(overview.clients.begin(), overview.clients.end(), [&](const auto& cell) {
        return cell.client == program && cell.target == target;
      });
      if (one == overview.clients.end()) {
        out += "<td></td>";
        continue;
      }
      out += cell_html(*one);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string filter_html(const Heading& heading, const Summary& summary, const Overview& overview) {
  const auto options = [](const std::vector<std::string>& names) {
    std::string all = "<option value=\"\">all</option>";
    for (const std::string& name : names)
      all += fmt::format("<option value=\"{0}\">{0}</option>", html(name));
    return all;
  };
  std::vector<std::string> clients;
  for (const ClientResult& one : overview.clients)
    if (!one.breaks_on.empty() && std::find(clients.begin(), clients.end(), one.client->id) == clients.end())
      clients.push_back(one.client->id);
  std::string kinds = "<option value=\"\">all</option>";
  for (const BugKind kind : kBugKinds)
    kinds += fmt::format("<option value=\"{}\">{}</option>", id(kind), title(kind));
  std::string out = "<form class=\"filter\" role=\"search\" hidden>\n";
  out +=
      "<label class=\"words\">Search <input id=\"word\" type=\"search\" placeholder=\"words, rule or recording\"></label>\n";
  out += fmt::format("<label>Kind <select id=\"kind\">{}</select></label>\n", kinds);
  out +=
      fmt::format("<label>Breaks the client <select id=\"client\">{}</select></label>\n", options(clients));
  out += fmt::format("<label{}>Target <select id=\"target\">{}</select></label>\n",
                     heading.targets.size() > 1 ? "" : " hidden", options(heading.targets));
  if (summary.since)
    out +=
        "<label class=\"check\"><input id=\"new\" type=\"checkbox\"> New <span id=\"news\"></span></label>\n";
  return out +
         "<button type=\"button\" id=\"expand\">Expand all</button>\n<button type=\"reset\">Reset</button>\n"
         "<output id=\"count\" aria-live=\"polite\"></output>\n</form>\n";
}

std::string rules_html(const std::vector<results::RecordingResult>& results, const Heading& heading,
                       const Summary& summary, const Overview& overview, std::size_t shown) {
  // The cause that includes the findings of a rule with a target.
  std::map<std::pair<std::string, std::string>, std::size_t> cards;
  for (std::size_t i = std::min(shown, summary.causes.size()); i-- > 0;)
    for (const results::Row* row : summary.causes[i].own) cards[{row->rule, summary.causes[i].target}] = i;
  const Matrix matrix = matrix_of(results, heading);
  static constexpr std::pair<RuleGroup, const char*> kGroups[] = {
      {RuleGroup::violated, "Violated"},     {RuleGroup::expected, "Known failures"},
      {RuleGroup::passed_on, "Passed on"},   {RuleGroup::met, "Met"},
      {RuleGroup::not_judged, "Not judged"}, {RuleGroup::not_exercised, "Not exercised"}};
  std::map<RuleGroup, std::pair<std::size_t, std::string>> rows;
  std::size_t size = 0;
  std::size_t left_out = 0;
  for (const auto& [rule, level] : matrix.obligations) {
    const RuleGroup group = group_of(matrix, rule->id, heading.targets);
    std::string row = fmt::format("<li id=\"rule-{}\"><code>{}</code> <span class=\"dim\">{}</span> {}",
                                  html_id(rule->id), html(rule->id), contract::name(level), html(rule->says));
    for (const std::string& target : heading.targets) {
      const std::string verdict = words(matrix.find(rule->id, target));
      if (verdict.empty() || group > RuleGroup::passed_on) continue;
      const auto card = cards.find({rule->id, target});
      const std::string text = heading.targets.size() > 1 ? html(target) + ": " + verdict : verdict;
      row += card == cards.end() ? fmt::format(" <span class=\"verdict\">{}</span>", text)
                                 : fmt::format(" <a class=\"verdict\" href=\"#{}\">{} cases</a>",
                                               overview.ids[card->second], text);
    }
    row += "</li>\n";
    auto& [count, items] = rows[group];
    ++count;
    if (size + row.size() > kMostOfRules) {
      ++left_out;
      continue;
    }
    size += row.size();
    items += row;
  }
  std::string out = "<h2>Rules</h2>\n";
  for (const auto& [group, name] : kGroups) {
    const auto one = rows.find(group);
    if (one == rows.end()) continue;
    out += fmt::format("<details class=\"fold rules\"{}><summary>{}: {}</summary><ul>\n{}</ul></details>\n",
                       group == RuleGroup::violated ? " open" : "", name, counted(one->second.first, "rule"),
                       one->second.second);
  }
  if (left_out > 0) out += fmt::format("<p>and {} more</p>\n", counted(left_out, "rule"));
  return out;
}

}  // namespace splitproof::report
