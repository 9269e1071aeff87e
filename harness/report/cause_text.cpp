#include "harness/report/cause_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "harness/utf8.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kMostNamed = 5;
constexpr const char* kOfAnother = ", for another answer that breaks this rule: ";
constexpr std::size_t kFirstLines = 6;
constexpr std::size_t kWholeLine = 200;   // bytes of a line that is shown whole
constexpr std::size_t kBeginOfLine = 45;  // bytes of a longer one
constexpr std::size_t kEndOfLine = 150;

std::vector<std::string> ids_of(const std::vector<const results::Rule*>& rules) {
  std::vector<std::string> ids;
  for (const results::Rule* rule : rules) ids.push_back(rule->id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

// A long line of a stream begins with the same members as those before it. Its end says more.
std::string shown_line(std::string_view line) {
  if (line.size() <= kWholeLine) return visible(line);
  std::size_t begin = kBeginOfLine;
  std::size_t end = line.size() - kEndOfLine;
  while (begin > 0 && continues_character(line[begin])) --begin;
  while (end < line.size() && continues_character(line[end])) ++end;
  return visible(line.substr(0, begin)) + "..." + visible(line.substr(end));
}

}  // namespace

std::string few(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

std::size_t count_cases(const cause::Cause& cause) {
  std::map<const results::RecordingResult*, std::map<std::string, std::size_t>> shown;  // by case id
  for (const cause::Occurrence& one : cause.occurrences) {
    std::size_t& known = shown[one.in][one.case_id];
    known = std::max(known, one.cases);
  }
  std::size_t sum = 0;
  for (const auto& [in, cases] : shown) {
    std::size_t here = 0;
    for (const auto& entry : cases) here += entry.second;
    for (const results::Row& row : in->rows)
      if (row.rule == cause.rule->id) here = std::max(here, row.violating);
    sum += here;
  }
  return sum;
}

std::string extent(const cause::Cause& cause) {
  std::string kinds;
  const std::size_t ordinary = cause.ordinary();
  if (ordinary < cause.recordings())
    kinds = ordinary == 0 ? " (none as recorded)" : fmt::format(" ({} as recorded)", ordinary);
  return fmt::format("{}{}, {}, {} on {}", counted(cause.recordings(), "recording"), kinds,
                     counted(count_cases(cause), "case"), counted(cause.own.size(), "finding"), cause.target);
}

std::string trigger(const cause::Cause& cause) {
  std::map<std::string, std::size_t> triggers;
  for (const cause::Occurrence& one : cause.occurrences) {
    if (one.fault || (one.recut.empty() && !one.cut)) return {};
    ++triggers[one.cut ? "cut or held back" : "recut=" + one.recut];
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(triggers.begin(), triggers.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> names;
  for (const auto& entry : sorted) names.push_back(entry.first);
  return few(names);
}

std::string instability(const cause::Cause& cause) {
  if (!cause.is_unstable()) return {};
  const std::string alone = cause.shown.alone ? "" : "; splitproof found no single case that causes it";
  if (!cause.tries) return "unstable" + alone;
  return fmt::format("unstable: in {} of {} tries of this case{}", cause.tries->violated, cause.tries->of,
                     alone);
}

std::string knobs(const cause::Cause& cause) {
  if (cause.rule->knobs.empty()) return {};
  const std::string names = fmt::format("{}", fmt::join(cause.rule->knobs, ", "));
  if (!cause.accepted_by) return names;
  if (cause.accepted_by->empty()) return names + "; no other value accepts this answer";
  return fmt::format("{}; a profile with {} accepts this answer", names,
                     fmt::join(*cause.accepted_by, ", or with "));
}

CauseNumbers cause_numbers(const Summary& summary) {
  CauseNumbers numbers;
  for (std::size_t i = 0; i < summary.causes.size(); ++i)
    for (const results::Row* row : summary.causes[i].own) numbers.emplace(row, i + 1);
  return numbers;
}

std::string clipped(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_character(text[most])) --most;
  return text.substr(0, most) + "...";
}

std::vector<std::string> below(const cause::Cause& cause) { return ids_of(cause.below); }

std::vector<std::string> perhaps(const cause::Cause& cause) { return ids_of(cause.perhaps); }

std::string reproduce_line(const cause::Cause& cause, const Heading& heading) {
  return reproduce_line(cause.shown, cause.target, heading);
}

std::string extent(const cause::Smallest& smallest) {
  const std::size_t cuts = smallest.upstream.cuts.size();
  return fmt::format("{} of {}, {}{}", smallest.events, counted(smallest.of, "event"),
                     cuts == 0 ? "no cut" : counted(cuts, "cut"),
                     smallest.exhausted ? "; the search ended early, so a smaller case may exist" : "");
}

std::string first_lines(std::string_view body) {
  std::string shown;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find('\n', begin), body.size());
    if (end > begin && ++count <= kFirstLines) shown += shown_line(body.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return count > kFirstLines ? shown + "and " + counted(count - kFirstLines, "line") + " more\n" : shown;
}

std::string shrink_line(const cause::Cause& cause, const Heading& heading) {
  return shrink_line(cause.shown.case_id, cause.rule->id, cause.target, heading);
}

std::string incident_url(const std::string& incident) {
  const std::size_t hash = incident.find('#');
  if (hash == std::string::npos || hash + 1 == incident.size()) return {};
  const auto is_of = [](std::string_view part, std::string_view others) {
    return std::all_of(part.begin(), part.end(), [&](char c) {
      return (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos ||
             (!others.empty() && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')));
    });
  };
  const std::string_view name = std::string_view(incident).substr(0, hash);
  const std::string_view number = std::string_view(incident).substr(hash + 1);
  if (!is_of(name, "-._/") || !is_of(number, "")) return {};
  return fmt::format("https://github.com/{}/issues/{}", name, number);
}

std::string_view name(ClientState state) {
  switch (state) {
    case ClientState::works:
      return "works";
    case ClientState::breaks:
      return "breaks";
    case ClientState::not_tested:
      break;
  }
  return "not tested";
}

std::vector<std::string> hurts(const cause::Cause& cause) {
  std::vector<std::string> lines;
  for (const contract::Reaction reaction : {contract::Reaction::wrong, contract::Reaction::throws}) {
    for (const cause::Impact& impact : cause.impacts)
      if (impact.reaction == reaction)
        lines.push_back(impact.client + " " + std::string(contract::name(reaction)) +
                        (impact.is_same_stream ? ": " : kOfAnother) + impact.says);
  }
  if (!cause.impacts.empty()) return lines;
  for (const results::Harm& harm : cause.rule->harm)
    lines.push_back(harm.source() + (harm.client.empty() ? ": " : kOfAnother) + harm.says);
  return lines;
}

}  // namespace splitproof::report
