#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <variant>

#include "harness/built_in.hpp"
#include "harness/cli/arguments.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/visible_output.hpp"

// What archive.py made.
extern "C" const char _binary_built_in_start[];
extern "C" const char _binary_built_in_end[];

namespace {

using namespace splitproof::cli;

struct Dispatch {
  int operator()(const EarlyExit& ended) const { return ended.code; }
  int operator()(const RunCommand& command) const { return run_campaign(command); }
  int operator()(const CheckCommand& command) const { return check(command); }
  int operator()(const DiffCommand& command) const { return diff(command); }
  int operator()(const DecodeCommand& command) const { return decode(command); }
  int operator()(const ReplayCommand& command) const { return replay(command); }
  int operator()(const ShrinkCommand& command) const { return shrink_case(command); }
  int operator()(const UpstreamCommand& command) const { return upstream(command); }
  int operator()(const ExplainCommand& command) const { return explain(command); }
  int operator()(const ListCommand& command) const { return list(command); }
  int operator()(const ImportCommand& command) const { return import(command); }
  int operator()(const JudgeCommand& command) const { return judge(command); }
  int operator()(const SelfTestCommand& command) const { return self_test(command); }
  int operator()(const FalsifyCommand& command) const { return falsify(command); }
};

// Occupies the standard descriptors that came closed. Otherwise the next file or socket gets such a number, and output goes
// into it. Standard output is only read from, so that writing to it fails.
void occupy_standard_descriptors() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (fcntl(number, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_RDWR));
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  std::ios::sync_with_stdio(false);
  const VisibleOutput out(std::cout, isatty(STDOUT_FILENO) == 1);
  const VisibleOutput err(std::cerr, isatty(STDERR_FILENO) == 1);
  splitproof::set_built_in({_binary_built_in_start, _binary_built_in_end});
  try {
    const int code = std::visit(Dispatch{}, parse_arguments(argc, argv));
    std::cout.flush();
    if (std::cout.fail()) {
      std::cerr << "splitproof: standard output could not be written\n";
      return kInternalError;
    }
    return code;
  } catch (const std::exception& error) {
    std::cerr << "splitproof: internal error: " << error.what() << "\n";
    return kInternalError;
  }
}
