// The program of the command self-test, with the same arguments.
#include "harness/cli/program.hpp"
#include "harness/cli/self_test_program.hpp"

int main(int argc, char** argv) {
  using namespace splitproof::cli;
  const Command self_test = self_test_command(run_self_test);
  return as_program([&] { return run_chosen({&self_test}, argc, argv); });
}
