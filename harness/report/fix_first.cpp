#include "harness/report/fix_first.hpp"

#include <fmt/format.h>

#include "harness/report/cause_text.hpp"
#include "harness/report/client_state.hpp"
#include "harness/report/markdown.hpp"

namespace splitproof::report {
namespace {

using markdown::code;
using markdown::code_cell;
using markdown::text;

std::string cause_section(const cause::Cause& cause, std::size_t number, const Heading& heading) {
  std::string out = fmt::format("\n### {}. {}\n\n**{}, {}**, by {}: {}\n\n", number, text(cause.title()),
                                text(cause.name()), contract::name(cause.level), code(cause.target),
                                text(cause.rule->says));
  out += "- " + text(extent(cause)) + "\n";
  if (const std::string when = trigger(cause); !when.empty()) out += "- only when " + text(when) + "\n";
  if (const std::string tries = instability(cause); !tries.empty()) out += "- " + text(tries) + "\n";
  for (const std::string& line : hurts(cause)) out += "- " + text(line) + "\n";
  if (const std::string depends = knobs(cause); !depends.empty())
    out += "- depends on the knobs: " + text(depends) + "\n";
  if (!cause.below.empty())
    out += "- rules with the same cause: " + text(fmt::format("{}", fmt::join(below(cause), " "))) + "\n";
  if (!cause.perhaps.empty())
    out += "- rules that may have other causes: " + text(fmt::format("{}", fmt::join(perhaps(cause), " "))) +
           "\n";
  out += "- found: " + text(cause.shown.message) + "\n\n";
  out += markdown::block(reproduce_line(cause, heading), "sh");
  if (!cause.smallest) return out;
  return out + "\nSmallest: " + text(extent(*cause.smallest)) + "\n\n" +
         markdown::lines_block(first_lines(cause.smallest->upstream.body)) + "\n" +
         markdown::block(shrink_line(cause, heading), "sh");
}

}  // namespace

std::string fix_first(const std::vector<results::RecordingResult>& results, const Heading& heading,
                      const Summary& summary, std::size_t most) {
  constexpr std::size_t kLastLine = 100;
  std::string out = summary.causes.empty() ? "" : "\n## What to fix first\n";
  std::string rows;
  for (const ClientResult& one : client_results(results, heading, summary)) {
    rows +=
        fmt::format("| {} | {} {} | **{}** | {} | {} |\n", code_cell(one.target), code_cell(one.client->id),
                    text(one.client->version), name(one.state), text(one.says), text(one.client->tried));
  }
  if (!rows.empty() && rows.size() < most / 2)
    out += std::string(out.empty() ? "\n## State of each client\n" : "") +
           "\n| target | client | state | because | client tested |\n|---|---|---|---|---|\n" + rows;
  std::size_t number = 0;
  for (const cause::Cause& cause : summary.causes) {
    const std::string section = cause_section(cause, number + 1, heading);
    if (out.size() + section.size() + kLastLine > most) break;
    out += section;
    ++number;
  }
  if (number < summary.causes.size())
    out += fmt::format("\nAnd {} more.\n", counted(summary.causes.size() - number, "cause"));
  return out;
}

}  // namespace splitproof::report
