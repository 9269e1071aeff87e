#include "harness/cli/read_report.hpp"

#include "harness/read_file.hpp"
#include "harness/report/jsonl.hpp"

namespace splitproof::cli {

tl::unexpected<Error> unfinished(const std::string& path) {
  return tl::unexpected(Error{"the report has no last line: its run was interrupted", path, 0,
                              "repeat the run until it ends; merge --partial accepts the report as it is"});
}

Result<results::RunResult> read_report(const std::string& path, bool partial,
                                       results::SharedContext* shared) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const std::string_view saved = report::saved_lines(*text);
  auto run = results::read_run(saved.empty() ? std::string_view(*text) : saved, path, shared);
  if (run && !run->complete && !partial) return unfinished(path);
  return run;
}

}  // namespace splitproof::cli
