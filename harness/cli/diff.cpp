#include <iostream>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/read_file.hpp"
#include "harness/report/difference.hpp"
#include "harness/results/written.hpp"

namespace splitproof::cli {

int diff(const DiffCommand& command) {
  const auto load = [](const std::string& path) -> Result<results::RunResult> {
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    auto run = results::read_run(*text, path);
    if (run && !run->complete) {
      return tl::unexpected(
          Error{"the report has no last line: its run was broken off", path, 0, "let it run to its end"});
    }
    return run;
  };
  const auto before = load(command.before);
  if (!before) return complain(before.error());
  const auto after = load(command.after);
  if (!after) return complain(after.error());
  const auto difference = report::difference(*before, *after, command.strict);
  if (!difference) return complain(difference.error());
  std::cout << difference->text;
  return difference->worse ? kViolates : kConforms;
}

}  // namespace splitproof::cli
