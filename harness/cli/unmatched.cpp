#include "harness/cli/unmatched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/cli/targets.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {

std::string why_unmatched(const testee::Testee& target, const std::string& asked,
                          const std::vector<recording::Recording>& recordings) {
  std::map<std::string, std::size_t> protocols;
  for (const recording::Recording& recording : recordings) ++protocols[recording.protocol];
  const bool matches = std::any_of(protocols.begin(), protocols.end(),
                                   [&](const auto& entry) { return target.traits().takes(entry.first); });
  if (recordings.empty() || matches) return {};
  std::string of;
  for (const auto& [protocol, count] : protocols)
    of += fmt::format("{}{}{}", of.empty() ? "" : ", ", protocol,
                      protocols.size() == 1 ? "" : fmt::format(" ({})", count));
  std::string mend = "or choose another target from splitproof list targets";
  if (!is_program(asked)) {
    mend = fmt::format("or add --upstream {}", protocols.begin()->first);
  } else if (asked != target.name()) {
    mend = fmt::format("or correct '{}:' in {}", target.traits().is_client() ? "client" : "upstream", asked);
  }
  const std::string takes = target.traits().reads_events()   ? "it reads event streams of "
                            : target.traits().reads_answer() ? "it reads streams of "
                                                             : "its upstream speaks ";
  return fmt::format(
      "target {} cannot run: {}{}, and the {} selected {} of {}; select others "
      "with --only or --corpus, {}",
      target.name(), takes, target.upstream(), report::counted(recordings.size(), "recording"),
      recordings.size() == 1 ? "is" : "are", of, mend);
}

}  // namespace splitproof::cli
