#include "harness/cli/commands.hpp"
#include "harness/cli/program.hpp"

int main(int argc, char** argv) {
  using namespace splitproof::cli;
  return as_program([&] { return run_chosen(commands(), argc, argv); });
}
