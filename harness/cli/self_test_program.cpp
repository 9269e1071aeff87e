#include "harness/cli/self_test_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "harness/cli/exit_code.hpp"
#include "harness/cli/own_file.hpp"
#include "harness/cli/sources.hpp"

namespace splitproof::cli {

int run_self_test_program(char** argv) {
  const auto file = own_file("splitproof-self-test", "the self-test is not where it belongs");
  if (!file) return complain(file.error());
  execv(file->c_str(), argv);
  return complain(
      Error{"the self-test cannot be run: " + std::generic_category().message(errno), *file, 0, kBuildAll});
}

}  // namespace splitproof::cli
