#include "harness/report/github.hpp"

#include <fmt/format.h>

#include "harness/report/cause_text.hpp"
#include "harness/report/fix_first.hpp"
#include "harness/report/headline.hpp"
#include "harness/report/markdown.hpp"
#include "harness/report/run_context.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kMostOfAnnotation = 4000;  // bytes
constexpr std::size_t kMostOfName = 200;

// Escapes percent signs and line ends in the message of a command, and in a property also colons and commas.
std::string message(const std::string& text, bool is_property = false) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\n':
        out += "%0A";
        break;
      case '\r':
        out += "%0D";
        break;
      case ':':
        out += is_property ? "%3A" : ":";
        break;
      case ',':
        out += is_property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string property(const std::string& text) { return message(visible(text), true); }

std::string annotation(const cause::Cause& cause, std::size_t number, const Heading& heading) {
  const auto file = heading.places.find(cause.target);
  const std::string place = file == heading.places.end() ? "" : "file=" + property(file->second) + ",line=1,";
  std::string says = cause.rule->says + "\n" + extent(cause) + "\n";
  for (const std::string& line : hurts(cause)) says += line + "\n";
  says += clipped("found: " + visible(cause.shown.message), kMostOfAnnotation) + "\n";
  // Last, so that it can be copied completely.
  const std::string command = visible_lines(reproduce_line(cause, heading));
  return fmt::format("::error {}title={}::{}%0A{}\n", place,
                     property(fmt::format("{}. {} ({}) on {}", number, cause.title(), cause.name(),
                                          clipped(cause.target, kMostOfName))),
                     message(clipped(visible_lines(says), 2 * kMostOfAnnotation)),
                     message(clipped(command, kMostOfAnnotation)));
}

}  // namespace

std::string github_annotations(const std::vector<results::RecordingResult>& /*results*/,
                               const Heading& heading, const Summary& summary, bool complete) {
  std::string out;
  std::size_t number = 0;
  for (const cause::Cause& cause : summary.causes) {
    if (number == kMostAnnotations) break;
    out += annotation(cause, ++number, heading);
  }
  if (number < summary.causes.size())
    out += fmt::format("::notice title=splitproof::and {} more\n",
                       counted(summary.causes.size() - number, "cause"));
  std::string context = "::notice title=splitproof run::";
  for (const auto& [name, value] : run_context(heading, summary))
    context += message(fmt::format("{}: {}\n", name, clipped(visible(value), kMostOfName)));
  out += context + "\n";
  if (!complete)
    return out + "::warning title=splitproof::The run was interrupted, so these results are incomplete.\n";
  return out + (summary.conforms() ? "::notice title=splitproof::" : "::warning title=splitproof::") +
         message(verdict_line(summary)) + "\n";
}

std::string github_summary(const std::vector<results::RecordingResult>& results, const Heading& heading,
                           const Summary& summary, bool complete) {
  std::string out = "# splitproof\n\n";
  if (!complete) out += "**The run was interrupted, so these results are incomplete.**\n\n";
  out += "**" + markdown::text(headline(results, heading, summary, complete)) + "**\n\n";
  out += markdown::lines_block(verdict_line(summary)) + "\n";
  for (const auto& [name, value] : run_context(heading, summary))
    out += fmt::format("- {}: {}\n", name, markdown::text(clipped(value, kMostOfAnnotation)));
  for (const auto& [target, why] : heading.untested) {
    if (out.size() > kMostOfJobSummary / 4) break;
    out += "\n" + markdown::code(clipped(target, kMostOfName)) +
           " was not tested to the end: " + markdown::text(clipped(why, kMostOfAnnotation)) + "\n";
  }
  return out + fix_first(results, heading, summary, kMostOfJobSummary - out.size());
}

}  // namespace splitproof::report
