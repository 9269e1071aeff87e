#include "harness/cli/tell.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "harness/cli/exit_code.hpp"
#include "harness/report/console.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {

int tell(const results::RunResult& run, ReportFiles& reports, bool all, bool verbose, bool json) {
  report::Summary summary = report::summarise(run);
  summary.unwritten = reports.write(run.recordings, run.header, summary, run.complete);
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  if (json && run.complete)
    std::cerr << report::verdict_line(summary) << "\n";
  else if (!json)
    std::cout << report::console_report(run.recordings, run.header, summary,
                                        {colour, all, run.complete, verbose});
  if (!run.complete)
    std::cerr << "splitproof: a run was interrupted after " << report::counted(summary.cases, "case")
              << " and has no verdict\n";
  if (!run.complete || summary.unwritten > 0 || summary.unreadable > 0) return kWrongInput;
  if (summary.unavailable > 0) return kUnavailable;
  return summary.conforms() ? kConforms : kViolates;
}

}  // namespace splitproof::cli
