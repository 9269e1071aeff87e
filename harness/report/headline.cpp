#include "harness/report/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/report/run_context.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

// Returns the reasons other than findings why the run fails.
std::vector<std::string> other_failures(const Summary& summary) {
  std::vector<std::string> all;
  const auto add = [&](std::size_t count, const std::string& thing, const char* what) {
    if (count > 0) all.push_back(grouped(count, thing) + what);
  };
  add(summary.stale.size(), "stale expectation", "");
  add(summary.unjudged.size(), "recording", " without a judged rule");
  add(summary.unreadable, "unreadable recording", "");
  add(summary.unwritten, "file", " not written");
  if (summary.cut_short && !summary.quick)
    add(summary.cut_short->unreached, "recording", " not reached in time");
  return all;
}

std::string bugs_of(const Summary& summary) {
  const std::size_t expected = summary.tally.expected();
  if (summary.causes.empty()) {
    return expected == 0 ? "no bugs" : "no new bugs (" + grouped(expected, "known finding") + ")";
  }
  const auto unstable =
      static_cast<std::size_t>(std::count_if(summary.causes.begin(), summary.causes.end(),
                                             [](const cause::Cause& cause) { return cause.is_unstable(); }));
  std::string text = fmt::format("{} ({}{}", grouped(summary.causes.size(), "bug"),
                                 unstable > 0 ? fmt::format("{} unstable, ", unstable) : std::string(),
                                 grouped(summary.tally.findings(), "finding"));
  return text + (expected > 0 ? fmt::format(", {} more known)", grouped(expected)) : ")");
}

// True if no target ever called its upstream to the end of the run, so no result is about a translation.
bool is_untested(const std::vector<results::RecordingResult>& results, const Heading& heading) {
  return !heading.untested.empty() && heading.untested.size() >= heading.targets.size() &&
         std::all_of(results.begin(), results.end(),
                     [](const results::RecordingResult& result) { return result.called == 0; });
}

const char* verdict_of(const Summary& summary, bool complete) {
  if (!complete) return "INTERRUPTED";
  if (!summary.conforms()) return "FAIL";
  return summary.is_partial() ? "PASS SO FAR" : "PASS";
}

// "; my-proxy crashes (bug 1) and hangs (bug 7)"
std::string breakdowns(const Summary& summary) {
  std::vector<std::pair<std::string, std::string>> all;  // by target, in the order of the causes
  for (std::size_t i = 0; i < summary.causes.size(); ++i) {
    const cause::Cause& cause = summary.causes[i];
    const bool crashes = cause.rule->id == results::kCrashed;
    if (!crashes && cause.rule->id != results::kHung) continue;
    const std::string what = fmt::format("{} (bug {})", crashes ? "crashes" : "hangs", i + 1);
    if (!all.empty() && all.back().first == cause.target)
      all.back().second += " and " + what;
    else
      all.emplace_back(cause.target, what);
  }
  std::string text;
  for (const auto& [target, what] : all) text += fmt::format("; {} {}", target, what);
  return text;
}

}  // namespace

std::string headline(const std::vector<results::RecordingResult>& results, const Heading& heading,
                     const Summary& summary, bool complete) {
  std::string untested;
  for (const auto& [target, why] : heading.untested)
    untested += fmt::format("{}{}: {}", untested.empty() ? "" : "; ", target, visible(why));
  if (complete && is_untested(results, heading)) return "NOT TESTED: " + untested;
  std::string text = fmt::format("{}: {}", verdict_of(summary, complete), bugs_of(summary));
  for (const std::string& failure : other_failures(summary)) text += ", " + failure;
  text += " in " + grouped(summary.cases, "case");
  if (heading.details.milliseconds > 0) text += ", " + duration_text(heading.details.milliseconds);
  text += breakdowns(summary);
  if (summary.quick && summary.cut_short && summary.cut_short->unreached > 0)
    text += "; " + grouped(summary.cut_short->unreached, "recording") + " not tried";
  return untested.empty() ? text : text + "; not tested to the end: " + untested;
}

}  // namespace splitproof::report
