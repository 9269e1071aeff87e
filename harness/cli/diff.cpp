#include <iostream>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/read_file.hpp"
#include "harness/report/difference.hpp"

namespace splitproof::cli {

int diff(const DiffCommand& command) {
  const auto load = [](const std::string& path) {
    return read_file(path).and_then([&](const std::string& text) { return report::read_report(text, path); });
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
