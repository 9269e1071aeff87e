#include "harness/cli/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <iostream>

#include "harness/built_in.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/visible_output.hpp"

// Made by archive.py.
extern "C" const char _binary_built_in_start[];
extern "C" const char _binary_built_in_end[];

namespace splitproof::cli {
namespace {

// Occupies standard descriptors that are closed. Otherwise the next file or socket gets such a number and
// receives the output. Standard output is opened read-only, so that writing to it fails.
void occupy_standard_descriptors() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (fcntl(number, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_RDWR));
  }
}

}  // namespace

int as_program(const std::function<int()>& command) {
  occupy_standard_descriptors();
  std::ios::sync_with_stdio(false);
  const VisibleOutput out(std::cout, isatty(STDOUT_FILENO) == 1);
  const VisibleOutput err(std::cerr, isatty(STDERR_FILENO) == 1);
  set_built_in({_binary_built_in_start, _binary_built_in_end});
  try {
    const int code = command();
    std::cout.flush();
    if (std::cout.fail()) {
      std::cerr << "splitproof: writing to standard output failed\n";
      return kInternalError;
    }
    return code;
  } catch (const std::exception& error) {
    std::cerr << "splitproof: internal error: " << error.what() << "\n";
    return kInternalError;
  }
}

}  // namespace splitproof::cli
