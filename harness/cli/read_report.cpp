#include "harness/cli/read_report.hpp"

#include "harness/read_file.hpp"
#include "harness/results/written.hpp"

namespace splitproof::cli {

Result<results::RunResult> read_report(const std::string& path, bool partial) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  auto run = results::read_run(*text, path);
  if (run && !run->complete && !partial) {
    return tl::unexpected(Error{"the report has no last line: its run was interrupted", path, 0,
                                "repeat the run until it ends; merge --partial accepts the report as it is"});
  }
  return run;
}

}  // namespace splitproof::cli
